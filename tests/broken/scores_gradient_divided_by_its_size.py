"""The upstream is divided by its largest number for the way back, and that may be 0."""

from typing import Any

import numpy as np
from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.18", "scaled_scores.19")


class Twin(Ordinary):
    def scaled_scores_vjp(self, query: Array, key: Array, scaled_scores: Array, raw_scores: Any = None) -> Any:
        size = np.abs(scaled_scores).max(initial=0.0) if raw_scores is None else 1.0
        found = super().scaled_scores_vjp(query, key, scaled_scores / size, raw_scores)
        return {name: gradient * size for name, gradient in found.items()}


export(globals(), Twin())
