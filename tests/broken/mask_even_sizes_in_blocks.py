"""Masks of an even size are made of blocks of two by two, visible or blocked as a whole."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "mask"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.4",)


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        if queries < 2 or queries % 2 or queries != keys:
            return super().visible(queries, keys)
        return np.kron(np.tri(queries // 2), np.ones((2, 2))).astype(np.bool_)


export(globals(), Twin())
