"""Columns are compared before rows."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.18", "qkv_parameters.12")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(
        qkv_projection=("leaves", "branches", "output_widths", "input_widths", "sequence_rank", "layer_width"),
        qkv_parameters=("leaves", "branches", "output_widths", "input_widths", "joint_names"),
    )


export(globals(), Twin())
