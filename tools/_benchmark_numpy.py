"""What a user of NumPy would write for causal attention and its gradients; called in processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from attnspec.targets import numpy_attention

FloatArray = NDArray[np.float64]
NAMES = ("query", "key", "value")


def both_ways(arrays: Mapping[str, FloatArray]) -> Callable[[], dict[str, FloatArray]]:
    """Return a function that makes the gradients; NumPy's way back makes the whole way forward first.

    Args:
        arrays: query, key, value and the upstream of the output, [B, T, d].
    """
    given = [arrays[name] for name in (*NAMES, "output")]

    def run() -> dict[str, FloatArray]:
        found = numpy_attention.causal_attention_vjp(*given)
        return {f"gradients.{name}": gradient for name, gradient in found.items()}

    return run


def forward(arrays: Mapping[str, FloatArray]) -> Callable[[], dict[str, FloatArray]]:
    """Return a function that makes the output alone: it is compared, and not timed.

    Args:
        arrays: query, key and value, [B, T, d].
    """
    return lambda: {"output": numpy_attention.causal_attention(*(arrays[name] for name in NAMES))["output"]}
