"""Scores are clamped to 50 either way in place of subtracting the maximum (mila-iqia/blocks#581)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "I2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.4", "causal_softmax.7", "attention.2", "causal_attention.3")


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        return self.normalised(np.exp(np.clip(scores, -50.0, 50.0)) * visible)


export(globals(), Twin())
