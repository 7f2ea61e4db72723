"""The softmax is computed in float32 and widened afterwards."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "float32"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.4", "causal_softmax.5", "causal_softmax.6", "attention.2", "causal_attention.3")


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        return super().softmax(scores.astype(np.float32), visible).astype(np.float64)


export(globals(), Twin())
