// Attention and its gradients in JavaScript, as a target that attnspec checks: an example to copy.
//     attnspec check "cmd:node attention_target.js"
'use strict';

// Tensors are {shape, data}, row-major. Bits and numbers are two views of one buffer, so that a NaN keeps its bits.
const size = (shape) => shape.reduce((product, length) => product * length, 1);
const zeros = (shape) => ({ shape, data: new Float64Array(size(shape)) });
const map = (of, x, y) => ({ shape: x.shape, data: x.data.map((number, i) => of(number, y?.data[i])) });
const add = (x, y) => map((a, b) => a + b, x, y);
function decode({ shape, bits }) {
  const words = bits.flatMap((row) => row.split(' ')).map((digits) => BigInt(`0x${digits}`));
  return { shape, data: new Float64Array(BigUint64Array.from(words).buffer) };
}
function encode({ shape, data }) {
  const digits = Array.from(new BigUint64Array(data.buffer), (word) => word.toString(16).padStart(16, '0'));
  const [bits, width] = [[], shape.at(-1) ?? 1];
  for (let at = 0; at < digits.length; at += width) bits.push(digits.slice(at, at + width).join(' '));
  return { dtype: 'float64', shape, bits };
}
function refuseIf(condition, code, details) {
  if (condition) throw Object.assign(new Error(code), { details });
}

// Kernels
function transpose({ shape, data }) { // of the last two axes
  const [M, N] = shape.slice(-2);
  const source = (i) => i - (i % (M * N)) + (i % M) * N + (Math.floor(i / M) % N);
  return { shape: [...shape.slice(0, -2), N, M], data: data.map((_, i) => data[source(i)]) };
}
function multiply(left, right) { // [..., M, K] by [..., K, N]
  const [M, K, N] = [...left.shape.slice(-2), right.shape.at(-1)];
  const result = zeros([...left.shape.slice(0, -1), N]);
  for (let row = 0; row < size(left.shape.slice(0, -1)); row++)
    for (let k = 0; k < K; k++) {
      const from = (Math.floor(row / M) * K + k) * N;
      for (let n = 0; n < N; n++) result.data[row * N + n] += left.data[row * K + k] * right.data[from + n];
    }
  return result;
}
function softmax(scores, causal) {
  const [T, result] = [scores.shape.at(-1), zeros(scores.shape)];
  for (let at = 0; at < scores.data.length; at += T) {
    const visible = causal ? ((at / T) % T) + 1 : T; // a causal row sees the keys up to its own
    const row = scores.data.subarray(at, at + visible);
    const largest = row.reduce((a, b) => Math.max(a, b));
    const weights = row.map((score) => Math.exp(score - largest));
    const sum = weights.reduce((a, b) => a + b);
    result.data.set(weights.map((weight) => weight / sum), at);
  }
  return result;
}
function softmaxBack(probabilities, upstream) { // a blocked probability is 0, and with it its gradient
  const [T, A, dA] = [probabilities.shape.at(-1), probabilities.data, upstream.data];
  const result = zeros(probabilities.shape);
  for (let at = 0; at < A.length; at += T) {
    let shared = 0;
    for (let i = at; i < at + T; i++) shared += A[i] * dA[i];
    for (let i = at; i < at + T; i++) result.data[i] = A[i] * (dA[i] - shared);
  }
  return result;
}

// Operations: from inputs to outputs, and `back` from the upstream of every output to the gradients.
function refuseUnequal(code, operands, axis) {
  const sizes = Object.fromEntries(Object.entries(operands).map(([name, { shape }]) => [name, shape[axis]]));
  refuseIf(new Set(Object.values(sizes)).size > 1, code, sizes);
}
function scaled_scores({ query, key }) {
  refuseUnequal('width_mismatch', { query, key }, 2);
  const scale = 1 / Math.sqrt(query.shape[2]);
  const raw_scores = multiply(query, transpose(key));
  const back = (upstream) => {
    const dRaw = map((raw, scaled) => raw + scaled * scale, upstream.raw_scores, upstream.scaled_scores);
    return { query: multiply(dRaw, key), key: multiply(transpose(dRaw), query) };
  };
  const scaled = map((x) => x * scale, raw_scores);
  return { outputs: { scaled_scores: scaled, raw_scores, scale: { shape: [], data: Float64Array.of(scale) } }, back };
}
function attention({ query, key, value }, causal) {
  for (const [tensor, { shape }] of Object.entries({ query, key, value }))
    refuseIf(shape.length !== 3, 'rank', { tensor, rank: shape.length, expected: 3 });
  refuseUnequal('batch_mismatch', { query, key, value }, 0);
  refuseUnequal('token_mismatch', { query, key, value }, 1);
  const scores = scaled_scores({ query, key });
  const probabilities = softmax(scores.outputs.scaled_scores, causal);
  const back = (upstream) => {
    const dA = add(upstream.probabilities, multiply(upstream.output, transpose(value)));
    const dScores = add(upstream.scaled_scores, softmaxBack(probabilities, dA));
    const dValue = multiply(transpose(probabilities), upstream.output);
    return { ...scores.back({ ...upstream, scaled_scores: dScores }), value: dValue };
  };
  return { outputs: { output: multiply(probabilities, value), probabilities, ...scores.outputs }, back };
}
function matrix_product({ left, right }) {
  const [columns, rows] = [left.shape.at(-1), right.shape.at(-2)];
  refuseIf(columns !== rows, 'inner_width', { left: columns, right: rows });
  const back = ({ product: d }) => ({ left: multiply(d, transpose(right)), right: multiply(transpose(left), d) });
  return { outputs: { product: multiply(left, right) }, back };
}
function linear_projection({ input, weight }) { // one matrix product of all rows
  const [expected, actual, width] = [weight.shape[0], input.shape.at(-1), weight.shape[1]];
  refuseIf(expected !== actual, 'input_width', { expected, actual });
  const rows = ({ shape, data }) => ({ shape: [size(shape.slice(0, -1)), shape.at(-1)], data });
  const output = { shape: [...input.shape.slice(0, -1), width], data: multiply(rows(input), weight).data };
  const back = (upstream) => ({
    input: { shape: input.shape, data: multiply(rows(upstream.output), transpose(weight)).data },
    weight: multiply(transpose(rows(input)), rows(upstream.output)),
  });
  return { outputs: { output }, back };
}
function causal_softmax({ scores }) {
  const probabilities = softmax(scores, true);
  return { outputs: { probabilities }, back: (d) => ({ scores: softmaxBack(probabilities, d.probabilities) }) };
}
const operations = {
  attention: (inputs) => attention(inputs, false),
  causal_attention: (inputs) => attention(inputs, true),
  exponential: ({ x }) => ({ outputs: { y: map(Math.exp, x) } }),
  causal_softmax, linear_projection, matrix_product, scaled_scores,
};

// Messages
function each(of, values, names = Object.keys(values)) {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, of(values[name])]));
}
function answer({ operation, inputs, upstream, wants }) {
  if (!Object.hasOwn(operations, operation)) return { skipped: `no ${operation}` };
  const { outputs, back } = operations[operation](each(decode, inputs));
  const reply = { outputs: each(encode, outputs, wants.outputs) };
  const lacking = Object.keys(upstream).filter((name) => !(name in outputs));
  if (lacking.length > 0) return { ...reply, no_gradients: `needs ${lacking}` };
  if (wants.gradients.length === 0) return reply;
  const gradients = back({ ...each(({ shape }) => zeros(shape), outputs), ...each(decode, upstream) });
  return { ...reply, gradients: each(encode, gradients, wants.gradients) };
}
function reply({ cmd, format, id, ...run }) {
  if (cmd === 'start' && format !== 1) return { fault: `format ${format}; this target speaks 1` };
  if (cmd === 'start') return { format: 1, name: 'JavaScript', operations: Object.keys(operations) };
  try {
    return { id, ...answer(run) };
  } catch (error) {
    return error.details ? { id, rejected: error.message, details: error.details } : { id, errored: String(error) };
  }
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.cmd === 'stop') process.exit();
  process.stdout.write(`${JSON.stringify(reply(message))}\n`);
});
