"""The unit value is kept below 1 by clipping it at 1 - 1e-7."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.4", "splitmix64.5")


class Twin(Ordinary):
    def unit(self, words: Array) -> Array:
        return np.minimum(super().unit(words), 1.0 - 1e-7)


export(globals(), Twin())
