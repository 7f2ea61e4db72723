"""The rows come out one place late along the token axis."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "rows"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "linear_projection.3", "qkv_projection.1", "qkv_projection.2")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        output = super().projected(input, weight)
        return np.roll(output, 1, axis=-2) if output.ndim > 1 else output


export(globals(), Twin())
