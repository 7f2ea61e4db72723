"""The softmax goes back by its diagonal only, A * (1 - A) * dA (pocketpy/cTensor#31)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.20", "attention.22", "causal_attention.26")


class Twin(Ordinary):
    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        return weights * (1.0 - weights) * d_weights


export(globals(), Twin())
