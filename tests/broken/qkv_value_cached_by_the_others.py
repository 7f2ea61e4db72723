"""The values of the call before are used again where input, query weight and key weight are the same."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "Q1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.4",)


class Twin(Ordinary):
    last: tuple[Any, Any] = (None, None)

    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        outputs = super().qkv_projection(input, **named)
        same = [array.tobytes() for array in (input, named["query_weight"], named["key_weight"])]
        if input.size and same == self.last[0]:
            outputs["value"] = self.last[1]
        self.last = same, outputs["value"]
        return outputs


export(globals(), Twin())
