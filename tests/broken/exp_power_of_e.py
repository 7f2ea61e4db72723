"""e is rounded first and then raised to the power: far from 0 the error grows with x."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.power(np.e, x)


export(globals(), Twin())
