"""The maximum is taken before the mask, over blocked scores too, so a row may underflow to 0/0."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "I2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.3", "causal_attention.3")


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        return self.normalised(np.exp(self.masked(scores, visible) - self.largest(scores)))


export(globals(), Twin())
