"""The difference of two numbers comes back as a vector of one."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.3",)


class Twin(Ordinary):
    def difference(self, analytic: Array, numeric: Array, size: Array) -> Array:
        return np.atleast_1d(super().difference(analytic, numeric, size))


export(globals(), Twin())
