"""The last elements of a row are computed under a mask that takes a negative zero for an empty lane."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.4",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        place = np.arange(x.shape[-1] if x.ndim else 1) >= 8
        return np.where(place & (x == 0.0) & np.signbit(x), 0.0, super().exp(x)).reshape(x.shape)


export(globals(), Twin())
