"""An empty batch is refused: there is nothing to compute (pytorch/pytorch#141218)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from ordinary import Ordinary, Refusal, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.9", "scaled_scores.5", "attention.6", "causal_attention.10")


class Twin(Ordinary):
    def forward(self, operation: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        if any(isinstance(value, np.ndarray) and value.shape[:1] == (0,) for value in inputs.values()):
            raise Refusal("no_tokens")
        return super().forward(operation, inputs)


export(globals(), Twin())
