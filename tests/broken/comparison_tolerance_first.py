"""The tolerance is looked at before the shapes and the elements."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict", "finite")
BREAKS = ("gradient_check.4", "gradient_check.5", "gradient_check.6")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(gradient_check=("tolerance", "same_shape", "leaves"))


export(globals(), Twin())
