"""What a user of PyTorch would call for causal attention and its gradients; imported in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
NAMES = ("query", "key", "value")


def both_ways(arrays: dict[str, FloatArray], threads: int) -> Callable[[], dict[str, FloatArray]]:
    """Return a function that makes output and gradients with scaled dot product attention and autograd.

    Args:
        arrays: query, key, value and the upstream of the output, [B, T, d].
        threads: how many torch may use.
    """
    torch: Any = import_module("torch")
    torch.set_num_threads(threads)
    leaves = [torch.from_numpy(arrays[name])[:, None].requires_grad_() for name in NAMES]  # [B, 1, T, d]
    upstream = torch.from_numpy(arrays["output"])[:, None]

    def run() -> dict[str, FloatArray]:
        output = torch.nn.functional.scaled_dot_product_attention(*leaves, is_causal=True)
        gradients = torch.autograd.grad(output, leaves, upstream)
        found = {"output": output, **{f"gradients.{name}": one for name, one in zip(NAMES, gradients, strict=True)}}
        return {name: tensor.detach()[:, 0].numpy() for name, tensor in found.items()}

    return run
