"""Inner widths are compared before the leading axes."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("matrix_product.8",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(matrix_product=("leaves", "left_rank", "right_rank", "inner_width", "leading_axes"))


export(globals(), Twin())
