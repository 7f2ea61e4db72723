"""Dropout is active: in each call other weights are dropped before the mixture."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "Q1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.3", "causal_attention.4")


class Twin(Ordinary):
    random = np.random.default_rng(1)

    def mixed(self, probabilities: Array, value: Array) -> Array:
        kept = self.random.random(probabilities.shape) > 0.1
        return super().mixed(probabilities * kept / 0.9, value)


export(globals(), Twin())
