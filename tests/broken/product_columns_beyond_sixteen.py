"""A product is computed sixteen columns wide at most, and what is left over stays zero."""

from ordinary import Array, Ordinary, export

BUG_KIND = "width"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.1", "matrix_product.2")


class Twin(Ordinary):
    def product(self, left: Array, right: Array) -> Array:
        product = super().product(left, right)
        product[..., 16:] = 0.0
        return product


export(globals(), Twin())
