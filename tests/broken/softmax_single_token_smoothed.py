"""With one token a little of its probability is given away, as label smoothing would."""

from ordinary import Array, Ordinary, export

BUG_KIND = "label smoothing"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.6",
    "causal_softmax.11",
    "attention.7",
    "causal_attention.3",
    "causal_attention.5",
    "causal_attention.7",
)


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        weights = super().normalised(exponentials)
        return weights * 0.9 if weights.shape[-1] == 1 else weights


export(globals(), Twin())
