"""The largest argument is looked for first, which a tensor without elements has not."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.3",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.exp(x) if x.max() < 1e300 else super().exp(x)


export(globals(), Twin())
