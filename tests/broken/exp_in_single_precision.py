"""The exponential is computed in float32."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "float32"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.1", "exponential.6")


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.exp(x.astype(np.float32)).astype(np.float64)


export(globals(), Twin())
