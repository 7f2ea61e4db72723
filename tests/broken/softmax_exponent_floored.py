"""The difference is kept above -700, so what should underflow to 0 does not."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "clamp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.7", "attention.2", "causal_attention.3")


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        shown = np.where(visible, scores, -np.inf)
        return np.where(visible, np.maximum(scores, self.largest(shown) - 600.0), -np.inf)


export(globals(), Twin())
