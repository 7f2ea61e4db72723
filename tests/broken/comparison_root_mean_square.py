"""The root of the mean square of the differences is compared with the tolerance."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(difference.size == 0 or np.sqrt((difference**2).mean()) <= tolerance)


export(globals(), Twin())
