"""The mask is written into the scores themselves, which the caller still reads (NVIDIA/apex#1430)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "N6"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.1",)


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        scores[~visible] = -np.inf
        return scores


export(globals(), Twin())
