"""Only the numeric gradient counts for the size."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


class Twin(Ordinary):
    def size(self, analytic: Array, numeric: Array) -> Array:
        return np.maximum(numeric, 1.0)


export(globals(), Twin())
