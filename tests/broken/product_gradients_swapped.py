"""The two gradients are handed out under each other's name."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.11", "matrix_product.12", "matrix_product.13")


class Twin(Ordinary):
    def matrix_product_vjp(self, left: Array, right: Array, product: Array) -> dict[str, Array]:
        gradients = super().matrix_product_vjp(left, right, product)
        return {"left": gradients["right"], "right": gradients["left"]}


export(globals(), Twin())
