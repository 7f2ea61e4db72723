"""A result without an upstream is given one of ones."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.11",)


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        filled = {name: array if array.any() else np.ones_like(array) for name, array in upstreams.items()}
        return super().qkv_projection_vjp(input, *weights, **filled)


export(globals(), Twin())
