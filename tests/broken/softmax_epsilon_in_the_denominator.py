"""A small number is added to the denominator against division by zero."""

from ordinary import Array, Ordinary, export

BUG_KIND = "epsilon"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.5",
    "causal_softmax.6",
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
        return exponentials / (exponentials.sum(axis=-1, keepdims=True) + 1e-9)


export(globals(), Twin())
