"""The value is projected with the weight of the key (yflyzhang/AnnotatedTransformer#1)."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.1", "qkv_projection.4")


class Twin(Ordinary):
    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        return super().qkv_projection(input, named["query_weight"], named["key_weight"], named["key_weight"])


export(globals(), Twin())
