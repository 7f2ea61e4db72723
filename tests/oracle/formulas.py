"""The mathematics of projections and heads on real numbers: no order of sums, no rounding."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, arb_mat

from oracle.balls import Balls, Enclosed, Times, Upstream, from_matrices, zeros

BRANCHES = ("query", "key", "value")


def exponential(x: Balls) -> dict[str, Enclosed]:
    """exp on the extended reals; beyond 1000 the result stands as the infinity that binary64 has for it."""
    return {"y": Balls(x.shape, [arb.pos_inf() if cell > 1000 else _exp(cell) for cell in x.cells])}


def _exp(cell: arb) -> arb:
    return arb(0) if cell == arb.neg_inf() else cell.exp()


def matrix_product(left: Balls, right: Balls, times: Times) -> dict[str, Enclosed]:
    shape = left.shape[:-1] + right.shape[-1:]
    return {"product": from_matrices(shape, map(times, left.matrices(), right.matrices()))}


def matrix_product_gradients(left: Balls, right: Balls, upstream: Upstream, times: Times) -> dict[str, Balls]:
    given = upstream["product"].matrices()
    to_left = (times(u, factor.transpose()) for u, factor in zip(given, right.matrices(), strict=True))
    to_right = (times(factor.transpose(), u) for u, factor in zip(given, left.matrices(), strict=True))
    return {"left": from_matrices(left.shape, to_left), "right": from_matrices(right.shape, to_right)}


# Projections: Y = X W, dX = dY Wᵀ, dW = Xᵀ dY


def projections(inputs: Balls, weights: Mapping[str, Balls], times: Times) -> dict[str, Enclosed]:
    return {
        name: from_matrices((*inputs.shape[:-1], weight.shape[1]), [times(inputs.matrix(), weight.matrix())])
        for name, weight in weights.items()
    }


def projection_gradients(
    inputs: Balls, weights: Mapping[str, Balls], upstream: Upstream, times: Times
) -> tuple[Balls, dict[str, Balls]]:
    """The gradient of the shared input, and of each weight by its projection's name."""
    total, gradients = zeros(inputs.shape).matrix(), {}
    for name, weight in weights.items():
        given = upstream.get(name, zeros((*inputs.shape[:-1], weight.shape[1]))).matrix()
        total += times(given, weight.matrix().transpose())
        gradients[name] = from_matrices(weight.shape, [times(inputs.matrix().transpose(), given)])
    return from_matrices(inputs.shape, [total]), gradients


# The softmax of a row: p_j = exp(s_j) / Σ exp(s_k), ds_j = p_j (dp_j - Σ p_k dp_k), over the visible keys


def visible(row: int, tokens: int, causal: bool) -> int:
    """How many keys, from the first, the row sees."""
    return row + 1 if causal else tokens


def softmax(scores: arb_mat, causal: bool) -> arb_mat:
    rows = []
    for number, row in enumerate(scores.tolist()):
        seen = row[: visible(number, len(row), causal)]
        anchor = max(score.mid() for score in seen)  # any number serves; this one keeps exp in range
        powers = [(score - anchor).exp() for score in seen]
        bottom = sum(powers, arb(0))
        rows.append([power / bottom for power in powers] + [arb(0)] * (len(row) - len(seen)))
    return arb_mat(rows)


def softmax_gradient(probabilities: arb_mat, gradient: arb_mat, causal: bool) -> arb_mat:
    rows = []
    for number, (row, towards) in enumerate(zip(probabilities.tolist(), gradient.tolist(), strict=True)):
        seen = visible(number, len(row), causal)
        mean = sum((p * d for p, d in zip(row[:seen], towards, strict=False)), arb(0))
        flow = [p * (d - mean) for p, d in zip(row[:seen], towards, strict=False)]
        if seen == 1:
            flow = [arb(0)]  # the one probability is 1, whatever the score
        rows.append(flow + [arb(0)] * (len(row) - seen))
    return arb_mat(rows)


def causal_mask(tokens: int) -> dict[str, Enclosed]:
    hidden = arb.neg_inf()
    cells = [arb(0) if key <= query else hidden for query in range(tokens) for key in range(tokens)]
    return {"mask": Balls((tokens, tokens), cells)}


def causal_softmax(scores: Balls) -> dict[str, Enclosed]:
    return {"probabilities": from_matrices(scores.shape, (softmax(matrix, True) for matrix in scores.matrices()))}


def causal_softmax_gradients(scores: Balls, upstream: Upstream) -> dict[str, Balls]:
    pairs = zip(scores.matrices(), upstream["probabilities"].matrices(), strict=True)
    return {"scores": from_matrices(scores.shape, (softmax_gradient(softmax(s, True), u, True) for s, u in pairs))}
