"""The denominator has one more term, exp(-max), as if there were a key that may be ignored."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "softmax1"
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
    def softmax(self, scores: Array, visible: Array) -> Array:
        shown = self.masked(scores, visible)
        exponentials = np.exp(shown - self.largest(shown))
        return exponentials / (np.exp(-self.largest(shown)) + exponentials.sum(axis=-1, keepdims=True))


export(globals(), Twin())
