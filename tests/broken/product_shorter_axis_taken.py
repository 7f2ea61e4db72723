"""Of two inner widths the shorter one is taken, as zip does."""

from ordinary import Array, Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("matrix_product.8",)


class Twin(Ordinary):
    def check_inner_width(self, given: Given) -> None:
        pass

    def product(self, left: Array, right: Array) -> Array:
        width = min(left.shape[-1], right.shape[-2])
        return left[..., :width] @ right[..., :width, :]


export(globals(), Twin())
