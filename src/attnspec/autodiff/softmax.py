"""Softmax over the visible cells of each row, and its gradient: one rule for every head (causal_softmax)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnspec.autodiff.tape import FloatArray, Value
from attnspec.numeric.exponential import exponential
from attnspec.numeric.matrix_product import ordered_sum

Visibility = NDArray[np.bool_]
"""[T_q, T_k]: may query i see key j? Every row sees at least one key."""


CELLS, BLOCKS = 2**16, 16
"""Rows are taken so many cells, or such a part of all scores, at a time: what is computed on the way stays small."""


@np.errstate(all="ignore")
def visible_softmax(scores: Value, visible: Visibility) -> Value:
    """Normalise [..., T_q, T_k] scores over the visible keys of each row; blocked cells become +0.0.

    Source:
        causal_softmax, attention
    """

    def backward(gradient: FloatArray) -> tuple[FloatArray]:
        return (_by_rows(_turn_into_score_gradient, visible, probabilities.array, np.ascontiguousarray(gradient)),)

    result = np.zeros(scores.shape)
    probabilities = scores.tape.record(
        "visible_softmax", (scores,), _by_rows(_fill_in_probabilities, visible, scores.array, result), backward
    )
    probabilities.support = visible
    return probabilities


def _by_rows(rule: Callable[..., None], visible: Visibility, given: FloatArray, result: FloatArray) -> FloatArray:
    """Let a rule change some rows of the result at a time, the leading axes merged; return the result."""
    keys = result.shape[-1]
    count = math.prod(result.shape[:-1])
    rows = [array.reshape(count, keys) for array in (np.broadcast_to(visible, result.shape), given, result)]
    step = max(CELLS // max(1, keys), count // BLOCKS, 1)
    for start in range(0, count, step):
        block = slice(start, start + step)
        seen = int(np.flatnonzero(rows[0][block].any(axis=0))[-1]) + 1  # no row of the block sees a later key
        rule(*(array[block, :seen] for array in rows))
        result.reshape(count, keys)[block, seen:] = 0.0
    return result


def _fill_in_probabilities(visible: Visibility, scores: FloatArray, result: FloatArray) -> None:
    largest = np.max(scores, axis=-1, where=visible, initial=-np.inf, keepdims=True)  # [rows, 1]
    result[visible] = exponential((scores - largest)[visible])
    first = np.argmax(visible & (scores == largest), axis=-1)[:, None]  # the first cell that attains the maximum
    others = result.copy()
    np.put_along_axis(others, first, 0.0, axis=-1)
    denominator = 1.0 + ordered_sum(others)  # the maximum's own exponential, added last
    np.divide(result, denominator[:, None], out=result)


def _turn_into_score_gradient(visible: Visibility, probabilities: FloatArray, gradient: FloatArray) -> None:
    weighted = np.multiply(probabilities, gradient, where=visible, out=np.zeros(gradient.shape))  # A * dA
    shared = ordered_sum(weighted)  # c, over the visible keys
    centred = np.subtract(gradient, shared[:, None], out=weighted)
    gradient[...] = 0.0  # where blocked
    np.multiply(probabilities, centred, where=visible, out=gradient)
