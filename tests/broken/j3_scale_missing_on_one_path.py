"""The causal path leaves the scale out (Project-MONAI/GenerativeModels#146)."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "J3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.1",)


class Twin(Ordinary):
    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        return super().causal_attention(query * query.shape[-1] ** 0.5, key, value)


export(globals(), Twin())
