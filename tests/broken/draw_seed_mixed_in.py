"""The seed is hashed before it becomes the state."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.2", "splitmix64.3")


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return super().draws(int(self.mixed_words(np.array([seed], dtype=np.uint64))[0]), count)


export(globals(), Twin())
