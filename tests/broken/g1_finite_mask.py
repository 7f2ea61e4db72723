"""The mask holds -1e9 for a blocked cell in place of -inf."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "G1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.4",)


class Twin(Ordinary):
    def additive(self, visible: Array) -> Array:
        return np.where(visible, 0.0, -1e9)


export(globals(), Twin())
