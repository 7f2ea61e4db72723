"""Rows are computed one by one and stacked, and there may be none."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.3",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        if x.ndim < 3:
            return super().exp(x)
        rows = x.reshape(x.size // x.shape[-1], x.shape[-1])
        return np.stack([np.exp(row) for row in rows]).reshape(x.shape)


export(globals(), Twin())
