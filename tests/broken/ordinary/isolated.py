"""The ordinary implementation for operands that may hold NaN and infinities: what is blocked is never read."""

from __future__ import annotations

import numpy as np

from ordinary.arrays import Array
from ordinary.checks import Given
from ordinary.implementation import Ordinary


class Isolated(Ordinary):
    """Refuses no number. Row i of anything is computed from the keys and values that row i may see."""

    def check_leaves(self, given: Given) -> None:
        pass

    def check_results(self, outputs: Given) -> None:
        pass

    def check_gradients(self, gradients: Given) -> None:
        pass

    def mixed(self, probabilities: Array, value: Array) -> Array:
        return _prefixes(probabilities, value)

    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return np.where(visible, super().softmax_backward(weights, d_weights, visible), 0.0)

    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return _prefixes(d_raw, key)


def _prefixes(rows: Array, content: Array) -> Array:
    """Multiply row i with the first i + 1 rows of the content."""
    parts = [rows[:, i : i + 1, : i + 1] @ content[:, : i + 1] for i in range(rows.shape[1])]
    return np.concatenate(parts, axis=1)
