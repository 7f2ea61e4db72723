"""The difference is relative to the larger of the two, also below 1."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


class Twin(Ordinary):
    def size(self, analytic: Array, numeric: Array) -> Array:
        return np.maximum(np.maximum(analytic, numeric), 1e-300)


export(globals(), Twin())
