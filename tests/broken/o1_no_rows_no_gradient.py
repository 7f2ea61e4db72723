"""Without a row the gradient of a weight comes back empty in place of zero."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.5", "qkv_projection.7")


class Twin(Ordinary):
    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        return super().weight_gradient(input, upstream) if input.size else np.zeros(0)


export(globals(), Twin())
