"""Equal names are looked for before each name was looked at alone."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("parameter_names.11",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(parameter_names=("duplicates", "each_name"))


export(globals(), Twin())
