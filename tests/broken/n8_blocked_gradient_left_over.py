"""What stood in the buffer of a blocked cell is handed out as its gradient."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "N8"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.21", "causal_attention.25", "causal_attention.26")


class Twin(Ordinary):
    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return np.where(visible, super().softmax_backward(weights, d_weights, visible), d_weights)


export(globals(), Twin())
