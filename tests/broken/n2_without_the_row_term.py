"""The softmax goes back without the row term, A * dA (HomericIntelligence/Odyssey#2134)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.19", "causal_softmax.20", "attention.22", "causal_attention.26")


class Twin(Ordinary):
    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return weights * d_weights


export(globals(), Twin())
