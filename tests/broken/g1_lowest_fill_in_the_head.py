"""The causal head fills blocked scores with the lowest number of a float32, unlike the softmax alone."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "G1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.3",)


class Twin(Ordinary):
    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        outputs = super().causal_attention(query, key, value)
        lowest = float(np.finfo(np.float32).min)
        filled = np.where(outputs["mask"] == 0.0, outputs["scaled_scores"], lowest)
        weights = self.softmax(filled, np.ones(filled.shape, np.bool_))
        return outputs | {"probabilities": weights, "output": self.mixed(weights, value)}


export(globals(), Twin())
