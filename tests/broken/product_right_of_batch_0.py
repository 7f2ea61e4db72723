"""Every product of a batch takes the first right operand."""

from ordinary import Array, Ordinary, export

BUG_KIND = "batch"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.2",)


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        return left @ (right[:1] if right.ndim > 2 else right)


export(globals(), Twin())
