"""mlx.core.fast.scaled_dot_product_attention, on the CPU, where MLX has float64 (conformance)."""

from __future__ import annotations

from functools import partial
from typing import Any

import mlx.core as mx
import numpy as np

from attnspec.targets.framework import Framework

NAME = "mlx"
VERSION = mx.__version__
DTYPES = ("float64", "float32", "float16", "bfloat16")
LAYOUT = "BHTD"

Array = Any
mx.set_default_device(mx.cpu)


def _attend(query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
    with np.errstate(divide="ignore"):  # what a width of zero is worth is for MLX to say
        scale = float(1 / np.sqrt(query.shape[-1]))
    mask = "causal" if is_causal else None
    return {"output": mx.fast.scaled_dot_product_attention(query, key, value, scale=scale, mask=mask)}


def _pull_back(function: Any, leaves: list[Any], upstreams: list[Any]) -> Any:
    return mx.vjp(function, leaves, upstreams)[1]


def _tensor(array: Array) -> Any:
    """Return a tensor of the same type, which MLX must be told: it makes float32 of float64."""
    return mx.array(array, dtype=getattr(mx, array.dtype.name))


def _array(tensor: Any) -> Array:
    """Return an array of the same type; bfloat16 goes by its bits, as NumPy has no name for it."""
    is_bfloat16 = tensor.dtype == mx.bfloat16
    return np.array(tensor.view(mx.uint16)).view("bfloat16") if is_bfloat16 else np.array(tensor)


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where MLX's message says which it is."""
    said = str(exception)
    return next((code for words, code in _CODES.items() if words in said), None)


_CODES = {
    "mismatching batch dimension": "batch_mismatch",
    "expected to be rank 4": "rank",
    "query, keys expected to have matching last dimension": "width_mismatch",
}

_MLX = Framework(_tensor, _array, _pull_back)
attention, attention_vjp = _MLX.attention(partial(_attend, is_causal=False))
causal_attention, causal_attention_vjp = _MLX.attention(partial(_attend, is_causal=True))
