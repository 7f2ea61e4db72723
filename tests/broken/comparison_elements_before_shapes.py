"""Elements are looked at before the shapes."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("gradient_check.4",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(gradient_check=("leaves", "same_shape", "tolerance"))


export(globals(), Twin())
