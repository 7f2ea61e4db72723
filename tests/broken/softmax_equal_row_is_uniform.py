"""A longer row whose scores are all equal is given 1 / T everywhere that is visible, blocked keys counted."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "softmax"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5",)


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        weights = super().normalised(exponentials)
        equal = ((exponentials == 1.0) | (exponentials == 0.0)).all(axis=(-2, -1), keepdims=True)
        return (
            np.where(equal & (weights > 0.0), 1.0 / weights.shape[-1], weights) if weights.shape[-1] == 4 else weights
        )


export(globals(), Twin())
