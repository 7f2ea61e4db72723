"""Every batch element mixes the values of the first."""

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "batch"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.3", "attention.5", "causal_attention.4", "causal_attention.9")


class Twin(Ordinary):
    def mixed(self, probabilities: Array, value: Array) -> Array:
        return super().mixed(probabilities, np.broadcast_to(value[:1], value.shape))


export(globals(), Twin())
