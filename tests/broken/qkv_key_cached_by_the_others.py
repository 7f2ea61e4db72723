"""The keys of the call before are used again where input, query weight and value weight are the same."""

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
        same = [array.tobytes() for array in (input, named["query_weight"], named["value_weight"])]
        if input.size and same == self.last[0]:
            outputs["key"] = self.last[1]
        self.last = same, outputs["key"]
        return outputs


export(globals(), Twin())
