"""The triangle is the upper one: the future is allowed and the past is blocked (pytorch/pytorch#29546)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "C2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_mask.2",
    "causal_mask.4",
    "causal_softmax.1",
    "causal_softmax.2",
    "causal_softmax.3",
    "causal_attention.2",
    "causal_attention.3",
    "causal_attention.5",
    "causal_attention.6",
    "causal_attention.8",
)


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        return np.tri(keys, queries, dtype=np.bool_).T


export(globals(), Twin())
