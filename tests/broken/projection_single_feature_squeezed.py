"""With one feature out the last axis is squeezed away."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1",)


class Twin(Ordinary):
    def linear_projection(self, input: Array, weight: Array) -> dict[str, Any]:
        outputs = super().linear_projection(input, weight)
        return outputs if weight.shape[1] > 1 else {"output": outputs["output"][..., 0]}


export(globals(), Twin())
