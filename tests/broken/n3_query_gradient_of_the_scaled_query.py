"""The gradient is that of the query after scaling, not of the query that was given."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.18", "attention.24", "causal_attention.28")


class Twin(Ordinary):
    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return super().towards_query(d_raw, key) * key.shape[-1] ** 0.5


export(globals(), Twin())
