"""The diagonal is one place too high: every row sees the next token (RVC-Boss/GPT-SoVITS#965)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "C1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_mask.4",
    "causal_softmax.1",
    "causal_softmax.2",
    "causal_softmax.3",
    "causal_softmax.11",
    "causal_attention.2",
    "causal_attention.3",
    "causal_attention.5",
    "causal_attention.6",
    "causal_attention.7",
)


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        return np.tri(queries, keys, 1, dtype=np.bool_)


export(globals(), Twin())
