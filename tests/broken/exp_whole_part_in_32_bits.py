"""The whole part of x / ln 2 is kept in 32 bits, which a very low argument does not fit."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.7",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        whole = np.nan_to_num(x / np.log(2.0))
        return np.where(np.isfinite(x) & (whole < -(2.0**31)), 1.0, np.exp(x))


export(globals(), Twin())
