"""The gradient of the scores is not transposed for the key (markroxor/fromscratchtoml#65)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.19", "attention.24", "causal_attention.28")


class Twin(Ordinary):
    def towards_key(self, d_raw: Array, query: Array) -> Array:
        return d_raw @ query


export(globals(), Twin())
