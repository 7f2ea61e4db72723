"""tinygrad's Tensor.scaled_dot_product_attention, on the CPU (conformance).

tinygrad's CPU device compiles with clang; where there is none, its device in Python answers, slower.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

os.environ.setdefault("DEV", "CPU" if shutil.which(os.environ.get("CC", "clang")) else "PYTHON")

from tinygrad import Device, Tensor, dtypes

NAME = "tinygrad"
VERSION = f"{version('tinygrad')} ({Device.DEFAULT})"  # they differ in more than speed
DTYPES = ("float64", "float32", "float16", "bfloat16")
LAYOUT = "BHTD"
REFUSALS = (RuntimeError, IndexError)

Array = Any


def _forward(query: Array, key: Array, value: Array, is_causal: bool) -> Array:
    inputs = [_tensor(each) for each in (key, value)]
    return _array(_tensor(query).scaled_dot_product_attention(*inputs, is_causal=is_causal))


def _gradients(query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool) -> dict[str, Array]:
    leaves = [_tensor(each) for each in (query, key, value)]
    output = leaves[0].scaled_dot_product_attention(*leaves[1:], is_causal=is_causal)
    gradients = output.gradient(*leaves, gradient=_tensor(output_upstream))
    return dict(zip(("query", "key", "value"), map(_array, gradients), strict=True))


def _tensor(array: Array) -> Any:
    """Return a tensor of the same type; bfloat16 goes by its bits."""
    is_bfloat16 = array.dtype.name == "bfloat16"
    return Tensor(array.view(np.uint16)).bitcast(dtypes.bfloat16) if is_bfloat16 else Tensor(array)


def _array(tensor: Any) -> Array:
    is_bfloat16 = tensor.dtype == dtypes.bfloat16
    return tensor.bitcast(dtypes.uint16).numpy().view("bfloat16") if is_bfloat16 else tensor.numpy()


attention = partial(_forward, is_causal=False)
causal_attention = partial(_forward, is_causal=True)
attention_vjp = partial(_gradients, is_causal=False)
causal_attention_vjp = partial(_gradients, is_causal=True)
