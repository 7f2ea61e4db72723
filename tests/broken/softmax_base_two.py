"""Powers of two in place of powers of e: the change of base was forgotten."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.4", "causal_softmax.5", "attention.2", "causal_attention.3")


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        shown = self.masked(scores, visible)
        return self.normalised(np.exp2(shown - self.largest(shown)))


export(globals(), Twin())
