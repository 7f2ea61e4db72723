"""Raw scores are worked back from the scaled ones, so an overflow before the scale is not seen
(ultralytics/ultralytics#24990).
"""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "J9"
LEVEL = "bound"
PROFILES = ("finite",)
BREAKS = ("scaled_scores.14", "attention.17", "causal_attention.21")


class Twin(Ordinary):
    def raw(self, query: Array, key: Array) -> Array:
        scale = query.shape[-1] ** -0.5
        return np.minimum(np.abs(self.scaled(query, key, scale)), 1e300)


export(globals(), Twin())
