"""The ordinary implementation for operands that may hold NaN and infinities: what is blocked is never read."""

from __future__ import annotations

import numpy as np

from ordinary.arrays import Array
from ordinary.checks import Given
from ordinary.implementation import Ordinary


class Isolated(Ordinary):
    """Refuses no number, and reads no key or value whose weight, or whose gradient, is zero."""

    def check_leaves(self, given: Given) -> None:
        pass

    def check_results(self, outputs: Given) -> None:
        pass

    def check_gradients(self, gradients: Given) -> None:
        pass

    def mixed(self, probabilities: Array, value: Array) -> Array:
        return _without_zeros(probabilities, value)

    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return np.where(visible, super().softmax_backward(weights, d_weights, visible), 0.0)

    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return _without_zeros(d_raw, key)


def _without_zeros(rows: Array, content: Array) -> Array:
    """Multiply matrices of a batch; what stands behind a coefficient of zero is not read."""
    terms = np.where(rows[..., None] == 0.0, 0.0, rows[..., None] * content[:, None])
    return terms.sum(axis=2)
