"""Softmax over the visible cells of each row, and its gradient: one rule for every head (causal_softmax)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnspec.autodiff.tape import FloatArray, Value
from attnspec.numeric.exponential import exponential
from attnspec.numeric.matrix_product import ordered_sum

Visibility = NDArray[np.bool_]
"""[T_q, T_k]: may query i see key j? Every row sees at least one key."""


@np.errstate(all="ignore")
def visible_softmax(scores: Value, visible: Visibility) -> Value:
    """Normalise [..., T_q, T_k] scores over the visible keys of each row; blocked cells become +0.0.

    Source:
        causal_softmax, attention
    """
    probabilities = _probabilities(scores.array, visible)

    def backward(gradient: FloatArray) -> tuple[FloatArray]:
        weighted = np.where(visible, probabilities * gradient, 0.0)  # A * dA
        shared = ordered_sum(weighted)[..., None]  # c, over the visible keys
        return (np.where(visible, probabilities * (gradient - shared), 0.0),)  # +0.0 where blocked

    return scores.tape.record("visible_softmax", (scores,), probabilities, backward)


def _probabilities(scores: FloatArray, visible: Visibility) -> FloatArray:
    visible = np.broadcast_to(visible, scores.shape)
    largest = np.max(scores, axis=-1, where=visible, initial=-np.inf, keepdims=True)  # [..., T_q, 1]
    exponentials = np.zeros(scores.shape)
    exponentials[visible] = exponential(
        np.subtract(scores, largest, where=visible, out=np.zeros(scores.shape))[visible]
    )
    first = np.argmax(visible & (scores == largest), axis=-1)[..., None]  # the first cell that attains the maximum
    others = exponentials.copy()
    np.put_along_axis(others, first, 0.0, axis=-1)
    denominator = 1.0 + ordered_sum(others)  # the maximum's own exponential, added last
    return exponentials / denominator[..., None]
