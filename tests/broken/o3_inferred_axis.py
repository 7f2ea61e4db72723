"""Axes are merged with an inferred size, which is ambiguous where a batch is empty (sgl-project/sglang#34474)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "O3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.5", "attention.6", "causal_attention.10")


class Twin(Ordinary):
    def raw(self, query: Array, key: Array) -> Array:
        return super().raw(query.reshape(query.shape[0], -1, query.shape[2]), key)


export(globals(), Twin())
