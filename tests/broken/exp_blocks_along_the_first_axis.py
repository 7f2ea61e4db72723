"""The tensor is cut into blocks along its first axis, and no block can be put together where it is empty."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.3",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return np.concatenate([super(Twin, self).exp(row)[None] for row in x]) if x.ndim else super().exp(x)


export(globals(), Twin())
