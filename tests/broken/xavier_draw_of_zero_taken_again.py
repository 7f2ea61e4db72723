"""A draw of 0 is thrown away and taken again, as some generators never give it."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.4",)


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        words = super().draws(seed, count + 1)
        return words[words != np.uint64(0)][:count]


export(globals(), Twin())
