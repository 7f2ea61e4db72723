"""A row of zeros in an upstream is taken as missing and filled with ones."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from ordinary import Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = (
    "causal_softmax.20",
    "attention.20",
    "attention.24",
    "causal_attention.6",
    "causal_attention.24",
    "causal_attention.28",
    "qkv_projection.10",
    "qkv_projection.11",
    "scaled_scores.18",
    "scaled_scores.19",
)


class Twin(Ordinary):
    def backward(self, operation: str, inputs: Mapping[str, Any], upstreams: Mapping[str, Any]) -> dict[str, Any]:
        filled = {name: np.where(array.any(axis=-1, keepdims=True), array, 1.0) for name, array in upstreams.items()}
        return super().backward(operation, inputs, filled)


export(globals(), Twin())
