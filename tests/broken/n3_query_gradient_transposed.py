"""The gradient of the scores is transposed for the query."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.18", "attention.24", "causal_attention.28")


class Twin(Ordinary):
    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return d_raw.swapaxes(1, 2) @ key


export(globals(), Twin())
