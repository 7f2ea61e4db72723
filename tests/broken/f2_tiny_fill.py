"""A blocked score is filled with -1e-9, a sign typo of the exponent (awslabs/gluonts#1401)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "F2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.2", "causal_softmax.3", "causal_attention.3", "causal_attention.5")


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return np.where(visible, scores, -1e-9)


export(globals(), Twin())
