"""The causal flag is accepted, but the head without an explicit mask never applies it (keras-team/keras#23038)."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "D1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.3", "causal_attention.5", "causal_attention.6", "causal_attention.7", "causal_attention.26")


class Twin(Ordinary):
    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        return self.head(query, key, value, causal=False) | self.causal_mask(query.shape[1])


export(globals(), Twin())
