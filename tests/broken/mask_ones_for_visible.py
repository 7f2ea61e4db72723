"""The mask holds 1 for a visible cell in place of 0, as a boolean turned into a number (pytorch/pytorch#21518)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "E2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.2", "causal_mask.3")


class Twin(Ordinary):
    def additive(self, visible: Array) -> Array:
        return np.where(visible, 1.0, -np.inf)


export(globals(), Twin())
