"""The sizes of the gradients are compared, and not their signs."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1", "gradient_check.2")


class Twin(Ordinary):
    def difference(self, analytic: Array, numeric: Array, size: Array) -> Array:
        return np.abs(analytic) / size - np.abs(numeric) / size


export(globals(), Twin())
