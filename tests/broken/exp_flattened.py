"""The result has lost its rows."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.3",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.exp(x).reshape(-1) if x.ndim > 1 else np.exp(x)


export(globals(), Twin())
