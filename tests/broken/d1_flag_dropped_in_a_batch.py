"""The path for more than one batch element forgets the causal flag (facebookresearch/xformers#103)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "D1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.1",
    "causal_softmax.2",
    "causal_softmax.3",
    "causal_softmax.8",
    "causal_attention.3",
    "causal_attention.9",
)


class Twin(Ordinary):
    def visibility(self, scores: Array, causal: bool) -> Array:
        return super().visibility(scores, causal and scores.shape[0] == 1)


export(globals(), Twin())
