"""Query and key have each other's weight (stevezheng23/sequence_labeling_tf#81)."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.1", "qkv_projection.4")


class Twin(Ordinary):
    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        return super().qkv_projection(input, named["key_weight"], named["query_weight"], named["value_weight"])


export(globals(), Twin())
