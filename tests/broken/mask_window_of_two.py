"""A sliding window of two tokens: what came long before is hidden."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "window"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.2", "causal_softmax.1", "causal_attention.2", "causal_attention.3", "causal_attention.8")


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        return np.tri(queries, keys, dtype=np.bool_) & ~np.tri(queries, keys, -2, dtype=np.bool_)


export(globals(), Twin())
