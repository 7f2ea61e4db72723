"""A product without elements comes back without its axes."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.3",)


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        return left @ right if left.size and right.size else np.zeros(0)


export(globals(), Twin())
