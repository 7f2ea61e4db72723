"""Both the query and the key are scaled, each by the whole scale."""

from ordinary import Array, Ordinary, export

BUG_KIND = "J3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.3", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        return super().scaled(query, key * scale, scale)


export(globals(), Twin())
