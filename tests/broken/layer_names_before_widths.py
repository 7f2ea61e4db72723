"""Equal names are looked for before the widths are compared."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.12",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(qkv_parameters=("leaves", "branches", "joint_names", "input_widths", "output_widths"))


export(globals(), Twin())
