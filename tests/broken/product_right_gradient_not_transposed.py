"""The left operand is not transposed for the gradient of the right, where it is square."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.12",)


class Twin(Ordinary):
    def right_gradient(self, left: Array, upstream: Array) -> Array:
        return (left if left.shape[-1] == left.shape[-2] else left.swapaxes(-1, -2)) @ upstream


export(globals(), Twin())
