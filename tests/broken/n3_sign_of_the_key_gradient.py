"""The gradient of the key has the wrong sign."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.19", "attention.24", "causal_attention.28")


class Twin(Ordinary):
    def towards_key(self, d_raw: Array, query: Array) -> Array:
        return -super().towards_key(d_raw, query)


export(globals(), Twin())
