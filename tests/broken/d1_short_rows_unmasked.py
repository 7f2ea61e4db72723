"""A fast path for up to three tokens leaves the mask out."""

from ordinary import Array, Ordinary, export

BUG_KIND = "D1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.1",
    "causal_softmax.2",
    "causal_softmax.3",
    "causal_softmax.11",
    "causal_attention.3",
    "causal_attention.5",
)


class Twin(Ordinary):
    def visibility(self, scores: Array, causal: bool) -> Array:
        return super().visibility(scores, causal and scores.shape[-1] > 3)


export(globals(), Twin())
