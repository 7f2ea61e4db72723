"""A number comes back as a vector of one."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.3",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.atleast_1d(np.exp(x))


export(globals(), Twin())
