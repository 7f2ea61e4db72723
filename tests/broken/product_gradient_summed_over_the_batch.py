"""The gradient of the right operand is summed over the batch and has its shape no more."""

from ordinary import Array, Ordinary, export

BUG_KIND = "batch"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.12", "matrix_product.13")


class Twin(Ordinary):
    def right_gradient(self, left: Array, upstream: Array) -> Array:
        gradient = super().right_gradient(left, upstream)
        return gradient.sum(axis=0) if gradient.ndim > 2 else gradient


export(globals(), Twin())
