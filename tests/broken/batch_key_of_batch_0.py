"""Every batch element is compared with the keys of the first."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "batch"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.4", "attention.5", "causal_attention.9")


class Twin(Ordinary):
    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        return super().scaled(query, np.broadcast_to(key[:1], key.shape), scale)


export(globals(), Twin())
