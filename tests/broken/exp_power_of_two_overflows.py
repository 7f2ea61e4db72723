"""The power of two overflows by itself in the last half binade: 2 ** 1024 stands before a number below 1."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        whole = np.rint(x / np.log(2.0))
        return np.where(whole >= 1024.0, np.inf, np.exp(x))


export(globals(), Twin())
