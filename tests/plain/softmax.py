"""The mask and the softmax of one row over its visible keys (causal_mask, causal_softmax)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plain import arithmetic
from plain.arrays import Array, Row, Upstream, Value, from_rows, started

Keys = Sequence[int]


def visible(row: int, tokens: int, causal: bool) -> Keys:
    return range(row + 1) if causal else range(tokens)


def causal_mask(tokens: int) -> dict[str, Value]:
    rows = ([0.0 if key in visible(row, tokens, True) else -math.inf for key in range(tokens)] for row in range(tokens))
    return {"mask": from_rows((tokens, tokens), rows)}


def causal_softmax(scores: Array) -> dict[str, Value]:
    tokens = scores.shape[-1]
    rows = (softmax(row, visible(number % tokens, tokens, True)) for number, row in enumerate(scores.rows()))
    return {"probabilities": from_rows(scores.shape, rows)}


def causal_softmax_vjp(scores: Array, upstream: Upstream) -> dict[str, Array]:
    tokens = scores.shape[-1]
    gradient = started(upstream, "probabilities", scores.shape).rows()
    rows = []
    for number, (row, d_row) in enumerate(zip(scores.rows(), gradient, strict=True)):
        keys = visible(number % tokens, tokens, True)
        rows.append([0.0 + cell for cell in softmax_vjp(softmax(row, keys), d_row, keys)])
    return {"scores": from_rows(scores.shape, rows)}


# The softmax of one row


def softmax(scores: Row, keys: Keys) -> Row:
    """Only the visible scores are read; every other cell is +0.0."""
    first = first_maximum(scores, keys)
    exponentials = {key: arithmetic.exp(scores[key] - scores[first]) for key in keys}
    bottom = denominator(exponentials, first)
    return [exponentials[key] / bottom if key in exponentials else 0.0 for key in range(len(scores))]


def first_maximum(scores: Row, keys: Keys) -> int:
    first = keys[0]
    for key in keys:
        if scores[key] > scores[first]:
            first = key
    return first


def denominator(exponentials: dict[int, float], first: int) -> float:
    """1.0 + the others in key order: the maximum's own 1.0 comes last."""
    return 1.0 + arithmetic.total(term for key, term in exponentials.items() if key != first)


def softmax_vjp(probabilities: Row, gradient: Row, keys: Keys) -> Row:
    centre = arithmetic.total(probabilities[key] * gradient[key] for key in keys)
    result = [0.0] * len(probabilities)
    for key in keys:
        result[key] = probabilities[key] * (gradient[key] - centre)
    return result
