"""Numbers are drawn in blocks of four, and each block begins from the seed."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1", "splitmix64.3")


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return np.tile(super().draws(seed, min(count, 4)), count // 4 + 1)[:count]


export(globals(), Twin())
