"""Elements are looked at after the shapes."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("matrix_product.9",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(matrix_product=("left_rank", "right_rank", "leading_axes", "inner_width", "leaves"))


export(globals(), Twin())
