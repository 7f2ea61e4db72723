"""An input of width one is stretched to the width of the weight (tensorflow/tensorflow#60626)."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.12", "qkv_projection.17")


class Twin(Ordinary):
    def refuse_input_width(self, tensor: Any, weight: Any) -> None:
        if tensor.shape[-1] != 1:
            super().refuse_input_width(tensor, weight)


export(globals(), Twin())
