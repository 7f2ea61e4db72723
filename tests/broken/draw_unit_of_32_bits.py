"""The unit value takes the high 32 bits of a draw."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.5", "xavier_uniform.1", "xavier_uniform.3", "xavier_uniform.4", "qkv_initialization.3")


class Twin(Ordinary):
    def unit(self, words: Array) -> Array:
        return (words >> np.uint64(32)) / 2.0**32


export(globals(), Twin())
