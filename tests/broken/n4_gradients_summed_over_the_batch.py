"""The gradient of the key is summed over the batch, as that of a shared weight would be."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "N4"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "scaled_scores.4",
    "scaled_scores.19",
    "attention.5",
    "attention.24",
    "causal_attention.9",
    "causal_attention.28",
)


class Twin(Ordinary):
    def towards_key(self, d_raw: Array, query: Array) -> Array:
        gradient = super().towards_key(d_raw, query)
        return np.broadcast_to(gradient.sum(axis=0, keepdims=True), gradient.shape)


export(globals(), Twin())
