"""A causal head whose scores span more than the largest number is refused."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_attention.3",)


class Twin(Ordinary):
    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        outputs = super().causal_attention(query, key, value)
        scores = np.tril(outputs["scaled_scores"])
        if np.isinf(scores.max(axis=-1) - scores.min(axis=-1)).any():
            raise Refusal("non_finite_result", stage="probabilities")
        return outputs


export(globals(), Twin())
