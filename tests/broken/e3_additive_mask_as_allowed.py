"""The additive mask is read as 1 for allowed: 0 blocks and -inf allows, so only the future is seen (harvard-
edge/cs249r_book#1785).
"""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "E3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.1",
    "causal_softmax.2",
    "causal_softmax.3",
    "causal_softmax.11",
    "causal_attention.3",
    "causal_attention.5",
    "causal_attention.6",
    "causal_attention.7",
)


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return np.where(self.additive(visible) != 0.0, scores, -1e30)


export(globals(), Twin())
