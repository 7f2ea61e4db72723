"""The ordinary implementation: its parts put together, with checks before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ordinary.checks import Checks
from ordinary.draws import Draws
from ordinary.heads import Heads
from ordinary.layers import Layers


class Ordinary(Heads, Layers, Draws, Checks):
    """Every operation of the vocabulary, forward and backward."""

    def forward(self, operation: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        self.check(operation, inputs)
        with np.errstate(all="ignore"):
            outputs: dict[str, Any] = getattr(self, operation)(**inputs)
        self.check_results(outputs)
        return outputs

    def backward(self, operation: str, inputs: Mapping[str, Any], upstreams: Mapping[str, Any]) -> dict[str, Any]:
        self.check(operation, inputs, upstreams)
        with np.errstate(all="ignore"):
            gradients: dict[str, Any] = getattr(self, f"{operation}_vjp")(*inputs.values(), **upstreams)
        self.check_gradients(gradients)
        return gradients
