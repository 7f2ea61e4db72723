"""The gradient of a blocked score is computed, not set: it is zero unless its other factor overflowed."""

from __future__ import annotations

from typing import Any

import numpy as np
from copies import reference_copy

BUG_KIND = "N8"
LEVEL = "bits"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11", "causal_attention.26")


TARGET = reference_copy()
modules = TARGET.modules


class Computing:
    """NumPy, but a product over the visible cells is one over all."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def multiply(left: Any, right: Any, where: Any, out: Any) -> Any:
        return np.multiply(left, right, out=out)


modules.autodiff_softmax.np = Computing()
