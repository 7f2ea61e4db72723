"""A weight of exactly 0 is nudged away from it."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.3", "xavier_uniform.4")


class Twin(Ordinary):
    def spread(self, units: Array, limit: float) -> Array:
        spread = super().spread(units, limit)
        return np.where(spread == 0.0, 1e-12, spread)


export(globals(), Twin())
