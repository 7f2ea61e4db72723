"""Blocked scores are filled with -1e4, and a visible score may be lower (ohdearquant/lattice#361)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "G1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.2", "causal_softmax.3", "causal_attention.3")


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return np.where(visible, scores, -1e4)


export(globals(), Twin())
