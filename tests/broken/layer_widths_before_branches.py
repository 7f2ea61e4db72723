"""Rows are compared before each branch was looked at alone."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.6", "qkv_parameters.12")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(qkv_parameters=("leaves", "input_widths", "branches", "output_widths", "joint_names"))


export(globals(), Twin())
