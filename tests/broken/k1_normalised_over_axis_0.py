"""The exponentials are normalised over the first axis: with one batch element every weight is one
(FudanNLP/fastNLP#254).
"""

from ordinary import Array, Ordinary, export

BUG_KIND = "K1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.5",
    "causal_softmax.8",
    "causal_softmax.10",
    "attention.2",
    "attention.5",
    "attention.8",
    "causal_attention.3",
    "causal_attention.9",
    "causal_attention.12",
)


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        return exponentials / exponentials.sum(axis=0, keepdims=True)


export(globals(), Twin())
