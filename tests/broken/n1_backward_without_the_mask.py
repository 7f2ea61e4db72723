"""The way back computes the probabilities without the mask (tensorflow/swift-models#217)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.19",
    "causal_softmax.20",
    "causal_softmax.21",
    "causal_attention.6",
    "causal_attention.25",
    "causal_attention.26",
)


class Twin(Ordinary):
    def visibility_backward(self, scores: Array, causal: bool) -> Array:
        return self.visibility(scores, causal=False)


export(globals(), Twin())
