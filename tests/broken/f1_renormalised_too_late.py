"""The mask comes after the softmax; the rows are normalised again, but dominant blocked scores have left nothing."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "F1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.3", "causal_attention.3")


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        weights = super().softmax(scores, np.ones_like(visible)) * visible
        return weights / weights.sum(axis=-1, keepdims=True)


export(globals(), Twin())
