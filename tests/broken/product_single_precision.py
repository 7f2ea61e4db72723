"""The product is computed in float32."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "float32"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        return (left.astype(np.float32) @ right.astype(np.float32)).astype(np.float64)


export(globals(), Twin())
