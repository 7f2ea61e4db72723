"""The denominator is 1 + the sum over the keys below the maximum: tied maxima are counted once."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "denominator"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5", "causal_softmax.10", "attention.2", "causal_attention.3", "causal_attention.12")


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        return exponentials / (1.0 + np.where(exponentials < 1.0, exponentials, 0.0).sum(axis=-1, keepdims=True))


export(globals(), Twin())
