"""The denominator is 1 + the sum over all keys, the maximum included."""

from ordinary import Array, Ordinary, export

BUG_KIND = "denominator"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.5",
    "causal_softmax.10",
    "causal_softmax.11",
    "attention.2",
    "attention.7",
    "attention.8",
    "causal_attention.3",
    "causal_attention.7",
    "causal_attention.12",
)


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        return exponentials / (1.0 + exponentials.sum(axis=-1, keepdims=True))


export(globals(), Twin())
