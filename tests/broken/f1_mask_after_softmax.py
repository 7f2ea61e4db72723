"""The mask comes after the softmax and nothing is normalised again: rows sum to less than one (huggingface/pytorch-
image-models#2236).
"""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "F1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.3",
    "causal_softmax.4",
    "causal_softmax.5",
    "causal_softmax.10",
    "causal_attention.3",
    "causal_attention.12",
)


class Twin(Ordinary):
    def softmax(self, scores: Array, visible: Array) -> Array:
        return super().softmax(scores, np.ones_like(visible)) * visible


export(globals(), Twin())
