"""The fast approximation that writes a straight line into the bits of a number; it is off by some percent, at 0 as
well.
"""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.1", "exponential.4")


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        line = np.nan_to_num(np.clip(x, -700.0, 700.0)) * (2.0**52 / np.log(2.0)) + 1023 * 2.0**52 - 2.0**47
        return line.astype(np.int64).view(np.float64)


export(globals(), Twin())
