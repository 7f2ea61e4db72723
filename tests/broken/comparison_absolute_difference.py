"""The difference is absolute, however large the gradients."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1", "gradient_check.2")


class Twin(Ordinary):
    def size(self, analytic: Array, numeric: Array) -> Array:
        return np.ones_like(analytic)


export(globals(), Twin())
