"""mlx.core.fast.scaled_dot_product_attention, on the CPU, where MLX has float64 (conformance)."""

from __future__ import annotations

from functools import partial
from typing import Any

import mlx.core as mx
import numpy as np

NAME = "mlx"
VERSION = mx.__version__
DTYPES = ("float64", "float32", "float16", "bfloat16")
LAYOUT = "BHTD"

Array = Any
mx.set_default_device(mx.cpu)


def _attend(is_causal: bool, query: Any, key: Any, value: Any) -> Any:
    with np.errstate(divide="ignore"):  # what a width of zero is worth is for MLX to say
        scale = float(1 / np.sqrt(query.shape[-1]))
    return mx.fast.scaled_dot_product_attention(query, key, value, scale=scale, mask="causal" if is_causal else None)


def _forward(query: Array, key: Array, value: Array, is_causal: bool) -> Array:
    return _array(_attend(is_causal, *map(_tensor, (query, key, value))))


def _gradients(query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool) -> dict[str, Array]:
    inputs = [_tensor(each) for each in (query, key, value)]
    _, gradients = mx.vjp(lambda *leaves: [_attend(is_causal, *leaves)], inputs, [_tensor(output_upstream)])
    return dict(zip(("query", "key", "value"), map(_array, gradients), strict=True))


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

attention = partial(_forward, is_causal=False)
causal_attention = partial(_forward, is_causal=True)
attention_vjp = partial(_gradients, is_causal=False)
causal_attention_vjp = partial(_gradients, is_causal=True)
