"""The output has as many columns as the key: wider values are cut."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "width"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.4", "causal_attention.4")


class Twin(Ordinary):
    def attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        outputs = super().attention(query, key, value)
        return outputs | {"output": outputs["output"][..., : key.shape[2]]}

    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        outputs = super().causal_attention(query, key, value)
        return outputs | {"output": outputs["output"][..., : key.shape[2]]}


export(globals(), Twin())
