"""The query is scaled in the caller's own array."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N6"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.1", "scaled_scores.2", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        query *= scale
        return super().scaled(query, key, 1.0)


export(globals(), Twin())
