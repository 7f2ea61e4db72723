"""Shapes are left to NumPy, which supplies axes and repeats them."""

from ordinary import Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("matrix_product.5", "matrix_product.6", "matrix_product.7")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(matrix_product=("leaves",))


export(globals(), Twin())
