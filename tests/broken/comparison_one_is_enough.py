"""One coordinate within the tolerance is enough."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(np.any(difference <= tolerance))


export(globals(), Twin())
