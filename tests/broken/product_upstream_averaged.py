"""The loss is taken as a mean over the elements of the product."""

from ordinary import Array, Ordinary, export

BUG_KIND = "loss"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.11", "matrix_product.12")


class Twin(Ordinary):
    def matrix_product_vjp(self, left: Array, right: Array, product: Array) -> dict[str, Array]:
        return super().matrix_product_vjp(left, right, product / max(product.size, 1))


export(globals(), Twin())
