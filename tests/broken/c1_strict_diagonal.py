"""The diagonal is excluded, so a row does not see itself and the first row sees nothing (pbloem/former#10)."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "C1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_mask.3",
    "causal_softmax.1",
    "causal_softmax.7",
    "causal_softmax.11",
    "causal_attention.2",
    "causal_attention.3",
    "causal_attention.5",
    "causal_attention.7",
    "causal_attention.8",
)


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        return np.tri(queries, keys, -1, dtype=np.bool_)


export(globals(), Twin())
