"""The mask is valid for the first batch element only (huggingface/candle#3582)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "M1"
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
        visible = super().visibility(scores, causal).copy()
        visible[1:] = True
        return visible


export(globals(), Twin())
