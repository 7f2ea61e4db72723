"""Elements are looked at after the layer is built."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("qkv_parameters.13",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(
        qkv_projection=("branches", "input_widths", "output_widths", "sequence_rank", "layer_width", "leaves"),
        qkv_parameters=("branches", "input_widths", "output_widths", "joint_names", "leaves"),
    )


export(globals(), Twin())
