"""The row term is a mean over the keys, not weighted by the probabilities."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.19", "attention.22", "causal_attention.26")


class Twin(Ordinary):
    def row_term(self, weights: Array, d_weights: Array) -> Array:
        return d_weights.mean(axis=-1, keepdims=True)


export(globals(), Twin())
