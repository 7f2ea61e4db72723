"""How far a mixture of values by an admitted softmax may be off (conformance)."""

from __future__ import annotations

import numpy as np

from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, unknown_where
from attnspec.conformance.softmax_bounds import SoftmaxBound


def mixture(softmax: SoftmaxBound, value: FloatArray, rounding: Rounding) -> FloatArray:
    """Return the error of an output: wrong scores move it only as far as the values differ from it."""
    keys = softmax.value.shape[-1]
    given = rounding.given(value)
    output = softmax.value @ value
    weights = softmax.kept
    reach = weights.reach @ given.reach
    error = (
        _moved(softmax, value, output) * (1.0 + weights.common)
        + weights.common * np.abs(output)
        + weights.own @ given.reach
        + weights.reach @ given.error
        + rounding.summed(keys) * reach
        + rounding.flushed(3 * keys, reach)  # products, sums, and rescalings of what was summed
    )
    # A running maximum may be that of any part of the row, so on the way every weight may be as large as one.
    most = softmax.visible.astype(np.float64) @ given.reach * (1.0 + rounding.inside.gamma(3 * keys))
    overflows = most > rounding.inside.largest
    return rounding.stored(Bounded(output, unknown_where(overflows, error))).error


def _moved(softmax: SoftmaxBound, value: FloatArray, output: FloatArray) -> FloatArray:
    """Return how far moved weights take a mean of values: no further than the furthest of them."""
    columns = []
    for column in range(value.shape[-1]):
        apart = np.where(softmax.visible, np.abs(value[..., None, :, column] - output[..., :, None, column]), 0.0)
        moved = (softmax.kept.moved * apart).sum(axis=-1)
        columns.append(np.where(np.isfinite(moved), np.minimum(moved, apart.max(axis=-1, initial=0.0)), np.inf))
    return np.stack(columns, axis=-1) if columns else np.zeros(output.shape)
