"""Weights that are equal are taken as one shared leaf, which gets the sum of their gradients."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.5", "qkv_projection.10")


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        found = super().qkv_projection_vjp(input, *weights, **upstreams)
        if np.array_equal(weights[0], weights[1]):
            shared = found["query_weight"] + found["key_weight"]
            found |= {"query_weight": shared, "key_weight": shared}
        return found


export(globals(), Twin())
