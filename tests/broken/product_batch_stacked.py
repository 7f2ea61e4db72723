"""The products of a batch are computed one by one and stacked, and there may be none."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.3",)


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        if left.ndim < 3:
            return left @ right
        return np.stack([self.product(*pair) for pair in zip(left, right, strict=True)])


export(globals(), Twin())
