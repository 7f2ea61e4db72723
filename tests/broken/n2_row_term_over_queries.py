"""The row term is summed over the queries in place of the keys."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.19", "causal_softmax.20", "attention.22", "causal_attention.26")


class Twin(Ordinary):
    def row_term(self, weights: Array, d_weights: Array) -> Array:
        return (weights * d_weights).sum(axis=-2, keepdims=True)


export(globals(), Twin())
