"""The lowest finite number is added to blocked scores, and a large one is still above a low visible one."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "G1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.3",)


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return scores + np.where(visible, 0.0, np.finfo(np.float64).min)


export(globals(), Twin())
