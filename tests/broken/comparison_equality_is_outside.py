"""A difference equal to the tolerance is outside."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(np.all(difference < tolerance))


export(globals(), Twin())
