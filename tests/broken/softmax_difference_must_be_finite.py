"""A difference score - max that overflows is refused, although its exponential is 0."""

import numpy as np
from ordinary import Array, Ordinary, Refusal, export

BUG_KIND = "check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.7",)


class Twin(Ordinary):
    def largest(self, shown: Array) -> Array:
        largest = super().largest(shown)
        if np.isinf((shown - largest)[np.isfinite(shown)]).any():
            raise Refusal("non_finite_result", stage="probabilities")
        return largest


export(globals(), Twin())
