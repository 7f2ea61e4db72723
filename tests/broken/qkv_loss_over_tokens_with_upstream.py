"""The loss is averaged over the tokens that have an upstream."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "loss"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.11",)


class Twin(Ordinary):
    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        given = sum(np.abs(array).sum(axis=-1) for array in upstreams.values()) > 0.0
        factor = given.size / given.sum() if given.any() else 1.0
        scaled = {name: array * factor for name, array in upstreams.items()}
        return super().qkv_projection_vjp(input, *weights, **scaled)


export(globals(), Twin())
