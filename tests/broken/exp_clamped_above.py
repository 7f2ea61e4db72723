"""The argument is kept below the point of overflow, so the largest finite number stands for infinity."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "clamp"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("exponential.5",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.exp(np.minimum(x, 709.782712893384))


export(globals(), Twin())
