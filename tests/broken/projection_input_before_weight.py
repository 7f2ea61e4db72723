"""The input is looked at before the weight."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("linear_projection.13",)


class Twin(Ordinary):
    ORDER = Ordinary.reordered(linear_projection=("leaves", "input_rank", "input_width", "weight_alone"))

    def refuse_input_width(self, tensor: Any, weight: Any) -> None:
        if weight.ndim == 2:
            super().refuse_input_width(tensor, weight)


export(globals(), Twin())
