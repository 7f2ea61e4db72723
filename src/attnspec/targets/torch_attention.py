"""PyTorch: scaled dot product attention by the kernel that torch chooses, by flash, and by plain mathematics.

Gradients are autograd's. A fused kernel has no scores to show, so none are returned. Where flash alone is allowed and
torch has no flash kernel for the inputs, torch refuses, and so does the target: nothing falls back.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from attnspec.targets.framework import Function
from attnspec.targets.torch_framework import TORCH
from attnspec.targets.torch_refusals import NoKernel, error_code

Array = Any
Tensor = Any


class TorchAttention:
    """What a user of torch calls for each operation.

    Args:
        name: what reports call it.
        backend: the one kernel that attention may use; None leaves the choice to torch.
    """

    VERSION = torch.__version__
    DTYPES = ("float64", "float32", "float16", "bfloat16")
    ACCUMULATES = "float32"
    LAYOUT = "BHTD"
    REFUSALS = (RuntimeError, IndexError)
    error_code = staticmethod(error_code)

    def __init__(self, name: str, backend: Any = None) -> None:
        self.NAME = name
        self._backend = backend
        for operation, function in _FUNCTIONS.items():
            forward, vjp = TORCH.operation(function)
            setattr(self, operation, forward)
            setattr(self, f"{operation}_vjp", vjp)
        self.attention, self.attention_vjp = TORCH.attention(self.attend)
        self.causal_attention, self.causal_attention_vjp = TORCH.attention(partial(self.attend, is_causal=True))

    def causal_mask(self, tokens: int) -> Array:
        return torch.nn.Transformer.generate_square_subsequent_mask(tokens, dtype=torch.float64).numpy()

    def attend(self, query: Tensor, key: Tensor, value: Tensor, is_causal: bool = False) -> dict[str, Tensor]:
        """Return the output, a tensor [B, H, T, d_v] that autograd can go back from."""
        allowed: AbstractContextManager[Any] = sdpa_kernel([self._backend]) if self._backend else nullcontext()
        with warnings.catch_warnings(record=True) as said, allowed:
            warnings.simplefilter("always")
            try:
                return {
                    "output": torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal)
                }
            except RuntimeError as error:
                if "No available kernel" in str(error):
                    raise NoKernel(str(error), [str(warning.message) for warning in said]) from error
                raise


def _qkv_projection(input: Tensor, **weights: Tensor) -> dict[str, Tensor]:
    linear = torch.nn.functional.linear
    return {name.removesuffix("_weight"): linear(input, weight.t()) for name, weight in weights.items()}


def _scaled_scores(query: Tensor, key: Tensor) -> dict[str, Tensor]:
    raw_scores = torch.matmul(query, key.transpose(-2, -1))
    return {"raw_scores": raw_scores, "scaled_scores": raw_scores / math.sqrt(query.shape[-1])}


def _causal_softmax(scores: Tensor) -> dict[str, Tensor]:
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return {"probabilities": torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)}


_FUNCTIONS: Mapping[str, Function] = {
    "exponential": lambda x: {"y": torch.exp(x)},
    "matrix_product": lambda left, right: {"product": torch.matmul(left, right)},
    "linear_projection": lambda input, weight: {"output": torch.nn.functional.linear(input, weight.t())},
    "qkv_projection": _qkv_projection,
    "scaled_scores": _scaled_scores,
    "causal_softmax": _causal_softmax,
}

DEFAULT = TorchAttention("torch")
FLASH = TorchAttention("torch-flash", SDPBackend.FLASH_ATTENTION)
MATH = TorchAttention("torch-math", SDPBackend.MATH)
