"""Scaled scores and both heads (scaled_scores, attention, causal_attention)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plain import arithmetic, softmax
from plain.arrays import Array, Matrix, Upstream, Value, from_matrices, started


def scale_of(width: int) -> float:
    return 1.0 / math.sqrt(float(width))


def scaled_scores(query: Array, key: Array) -> dict[str, Value]:
    scale, shape = scale_of(query.shape[2]), (*query.shape[:2], key.shape[1])
    raw = [arithmetic.product_with_transpose(*pair) for pair in zip(query.matrices(), key.matrices(), strict=True)]
    scaled = [[[score * scale for score in row] for row in matrix] for matrix in raw]
    return {
        "scaled_scores": from_matrices(shape, scaled),
        "raw_scores": from_matrices(shape, raw),
        "scale": Array((), [scale]),
    }


def scaled_scores_vjp(query: Array, key: Array, upstream: Upstream) -> dict[str, Array]:
    shape = (*query.shape[:2], key.shape[1])
    raw_starts = started(upstream, "raw_scores", shape).matrices()
    d_scaled = started(upstream, "scaled_scores", shape).matrices()
    d_raw = [towards_raw(*pair, scale_of(query.shape[2])) for pair in zip(d_scaled, raw_starts, strict=True)]
    return towards_query_and_key(query, key, d_raw)


def towards_query_and_key(query: Array, key: Array, d_raw: list[Matrix]) -> dict[str, Array]:
    d_query = (arithmetic.product(d, k, key.shape[2]) for d, k in zip(d_raw, key.matrices(), strict=True))
    d_key = (arithmetic.transpose_times(d, q, *key.shape[1:]) for d, q in zip(d_raw, query.matrices(), strict=True))
    return {"query": from_matrices(query.shape, d_query), "key": from_matrices(key.shape, d_key)}


def attention(query: Array, key: Array, value: Array) -> dict[str, Value]:
    return forward(query, key, value, causal=False)


def attention_vjp(query: Array, key: Array, value: Array, upstream: Upstream) -> dict[str, Array]:
    return backward(query, key, value, upstream, causal=False)


def causal_attention(query: Array, key: Array, value: Array) -> dict[str, Value]:
    outputs = forward(query, key, value, causal=True)
    order = ("output", "raw_scores", "scaled_scores", "mask", "probabilities", "scale")
    outputs |= softmax.causal_mask(query.shape[1])
    return {name: outputs[name] for name in order}


def causal_attention_vjp(query: Array, key: Array, value: Array, upstream: Upstream) -> dict[str, Array]:
    return backward(query, key, value, upstream, causal=True)


def heads(query: Array, key: Array, value: Array, causal: bool) -> list[Head]:
    scale = scale_of(query.shape[2])
    triples = zip(query.matrices(), key.matrices(), value.matrices(), strict=True)
    return [head(q, k, v, scale, causal) for q, k, v in triples]


def forward(query: Array, key: Array, value: Array, causal: bool) -> dict[str, Value]:
    done = heads(query, key, value, causal)
    square = (*query.shape[:2], key.shape[1])
    return {
        "output": from_matrices((*query.shape[:2], value.shape[2]), (one.output for one in done)),
        "raw_scores": from_matrices(square, (one.raw_scores for one in done)),
        "scaled_scores": from_matrices(square, (one.scaled_scores for one in done)),
        "probabilities": from_matrices(square, (one.probabilities for one in done)),
        "scale": Array((), [scale_of(query.shape[2])]),
    }


def backward(query: Array, key: Array, value: Array, upstream: Upstream, causal: bool) -> dict[str, Array]:
    square = (*query.shape[:2], key.shape[1])
    d_output = started(upstream, "output", (*query.shape[:2], value.shape[2])).matrices()
    inner = ("probabilities", "scaled_scores", "raw_scores")
    starts = {name: started(upstream, name, square).matrices() for name in inner}
    d_raw, d_value = [], []
    for number, (one, content) in enumerate(zip(heads(query, key, value, causal), value.matrices(), strict=True)):
        later = towards_scaled(one.probabilities, content, d_output[number], starts["probabilities"][number], causal)
        d_scaled = added(starts["scaled_scores"][number], later)
        d_raw.append(towards_raw(d_scaled, starts["raw_scores"][number], scale_of(query.shape[2])))
        d_value.append(arithmetic.transpose_times(one.probabilities, d_output[number], *value.shape[1:]))
    return towards_query_and_key(query, key, d_raw) | {"value": from_matrices(value.shape, d_value)}


def added(left: Matrix, right: Matrix) -> Matrix:
    return [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]


# One head over one batch element


@dataclass(frozen=True)
class Head:
    raw_scores: Matrix
    scaled_scores: Matrix
    probabilities: Matrix
    output: Matrix


def head(query: Matrix, key: Matrix, value: Matrix, scale: float, causal: bool) -> Head:
    raw = arithmetic.product_with_transpose(query, key)
    scaled = [[score * scale for score in row] for row in raw]
    probabilities, output = [], []
    for number, scores in enumerate(scaled):
        keys = softmax.visible(number, len(scores), causal)
        weights = softmax.softmax(scores, keys)
        probabilities.append(weights)
        columns = len(value[0])
        output.append([arithmetic.total(weights[j] * value[j][column] for j in keys) for column in range(columns)])
    return Head(raw, scaled, probabilities, output)


def towards_scaled(probabilities: Matrix, value: Matrix, d_output: Matrix, starts: Matrix, causal: bool) -> Matrix:
    """From the output and the probabilities (`starts`) back to the scaled scores."""
    result = []
    for number, (weights, start, d_row) in enumerate(zip(probabilities, starts, d_output, strict=True)):
        d_weights = [own + arithmetic.dot(d_row, content) for own, content in zip(start, value, strict=True)]
        result.append(softmax.softmax_vjp(weights, d_weights, softmax.visible(number, len(weights), causal)))
    return result


def towards_raw(d_scaled: Matrix, raw_start: Matrix, scale: float) -> Matrix:
    return added(raw_start, [[cell * scale for cell in row] for row in d_scaled])
