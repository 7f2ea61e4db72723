"""A state of 0 is taken for an uninitialised one and mended."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1",)


class Twin(Ordinary):
    def mixed_words(self, words: Array) -> Array:
        return super().mixed_words(np.where(words == np.uint64(0), np.uint64(1), words))


export(globals(), Twin())
