"""The input is looked at before the layer is built."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.12", "qkv_projection.13", "qkv_projection.18")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(
        qkv_projection=("leaves", "sequence_rank", "layer_width", "branches", "input_widths", "output_widths"),
    )

    def refuse_input_width(self, tensor: Any, weight: Any) -> None:
        if weight.ndim > 0:
            super().refuse_input_width(tensor, weight)


export(globals(), Twin())
