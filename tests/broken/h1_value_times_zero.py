"""A poisoned value at a blocked key leaks into every row, as zero times NaN (Dao-AILab/flash-attention#2374)."""

import numpy as np
from ordinary import Array, Isolated, export

BUG_KIND = "H1"
LEVEL = "bound"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11",)


class Twin(Isolated):
    def mixed(self, probabilities: Array, value: Array) -> Array:
        return np.einsum("bij,bjd->bid", probabilities, value)


export(globals(), Twin())
