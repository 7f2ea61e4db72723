"""A weight that fits only the other way round is turned round in place of refused."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "linear_projection.12")


class Twin(Ordinary):
    def refuse_input_width(self, tensor: Any, weight: Any) -> None:
        if tensor.shape[-1] != weight.shape[1]:
            super().refuse_input_width(tensor, weight)

    def projected(self, input: Array, weight: Array) -> Array:
        return super().projected(input, weight if input.shape[-1] == weight.shape[0] else weight.T)


export(globals(), Twin())
