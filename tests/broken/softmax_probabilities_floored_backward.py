"""On the way back probabilities are kept above the smallest normal number, against division by zero."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "clamp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.21",)


class Twin(Ordinary):
    def row_term(self, weights: Array, d_weights: Array) -> Array:
        return super().row_term(np.maximum(weights, np.finfo(np.float64).tiny), d_weights)

    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return weights * (d_weights - self.row_term(weights, d_weights))


export(globals(), Twin())
