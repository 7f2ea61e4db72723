"""The queries of a batch are taken in reverse order."""

from ordinary import Array, Ordinary, export

BUG_KIND = "batch"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.4", "attention.5", "causal_attention.9")


class Twin(Ordinary):
    def raw(self, query: Array, key: Array) -> Array:
        return super().raw(query[::-1], key)


export(globals(), Twin())
