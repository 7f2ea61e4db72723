"""-1e9 is added to blocked scores, and a blocked score may be large enough to win."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "G1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.2", "causal_softmax.3", "causal_attention.3")


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return scores + np.where(visible, 0.0, -1e9)


export(globals(), Twin())
