"""A missing batch axis is supplied in place of refused (tensorflow/tensorflow#60626)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from ordinary import Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("scaled_scores.6", "attention.9", "causal_attention.13", "causal_softmax.12", "qkv_projection.16")


class Twin(Ordinary):
    def forward(self, operation: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        wanted = {"query": 3, "key": 3, "value": 3, "input": 3 if operation == "qkv_projection" else 0, "scores": 2}
        missing = {name: wanted.get(name, 0) - np.ndim(value) for name, value in inputs.items()}
        grown = {name: value[(None,) * missing[name]] if missing[name] > 0 else value for name, value in inputs.items()}
        return super().forward(operation, grown)


export(globals(), Twin())
