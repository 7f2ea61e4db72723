"""The raw scores that are handed out have keys as rows."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.1", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def raw(self, query: Array, key: Array) -> Array:
        return super().raw(key, query)


export(globals(), Twin())
