"""Of several elements that are not finite the last one is reported."""

from typing import Any

import numpy as np
from copies import reference_copy

BUG_KIND = "index"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = (
    "scaled_scores.13",
    "attention.16",
    "causal_attention.20",
    "causal_softmax.16",
    "linear_projection.14",
    "qkv_projection.19",
    "matrix_product.9",
)


TARGET = reference_copy()
modules = TARGET.modules


def last_non_finite(array: Any) -> tuple[int, float] | None:
    wrong = np.flatnonzero(~np.isfinite(array))
    return (int(wrong[-1]), float(array.reshape(-1)[wrong[-1]])) if wrong.size else None


modules.autodiff_tape._first_non_finite = last_non_finite
