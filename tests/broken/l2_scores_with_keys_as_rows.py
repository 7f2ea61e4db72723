"""Rows are keys and columns are queries: the scores are transposed."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.1", "scaled_scores.3", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        return super().scaled(key, query, scale)


export(globals(), Twin())
