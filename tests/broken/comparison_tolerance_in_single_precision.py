"""The tolerance is kept in float32."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "float32"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return super().within(difference, float(np.float32(tolerance)))


export(globals(), Twin())
