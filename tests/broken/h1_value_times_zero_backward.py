"""On the way back the row term reads blocked cells, where zero times NaN is NaN."""

import numpy as np
from ordinary import Array, Isolated, export

BUG_KIND = "H1"
LEVEL = "bound"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11",)


class Twin(Isolated):
    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return np.where(visible, weights * (d_weights - self.row_term(weights, d_weights)), 0.0)


export(globals(), Twin())
