"""From NumPy to torch and back, and gradients by autograd (conformance).

NumPy knows bfloat16 through ml_dtypes alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from attnspec.numeric.formats import dtype_named
from attnspec.targets.framework import Framework

Array = Any
Tensor = Any


def _to_torch(array: Array) -> Tensor:
    """Return the tensor of an array; it shares the memory."""
    if array.dtype.name == "bfloat16":  # the same bits under a name that both know
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _from_torch(tensor: Tensor) -> Array:
    """Return the array of a tensor, whatever recorded it."""
    tensor = tensor.detach()
    if tensor.dtype == torch.bfloat16:
        return tensor.contiguous().view(torch.int16).numpy().view(dtype_named("bfloat16"))
    return tensor.numpy()


def _pull_back(function: Any, leaves: list[Tensor], upstreams: list[Tensor]) -> Any:
    for leaf in leaves:
        leaf.requires_grad_()
    return torch.autograd.grad(function(*leaves), leaves, upstreams, materialize_grads=True)


TORCH = Framework(_to_torch, _from_torch, _pull_back)
