"""The right operand is not transposed for the gradient of the left, where it is square."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.11",)


class Twin(Ordinary):
    def left_gradient(self, upstream: Array, right: Array) -> Array:
        return upstream @ (right if right.shape[-1] == right.shape[-2] else right.swapaxes(-1, -2))


export(globals(), Twin())
