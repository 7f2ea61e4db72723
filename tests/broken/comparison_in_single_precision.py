"""Gradients are compared in float32."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "float32"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


class Twin(Ordinary):
    def difference(self, analytic: Array, numeric: Array, size: Array) -> Array:
        return ((analytic / size).astype(np.float32) - (numeric / size).astype(np.float32)).astype(np.float64)


export(globals(), Twin())
