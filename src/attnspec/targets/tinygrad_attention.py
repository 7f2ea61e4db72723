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

from attnspec.targets.framework import Framework

NAME = "tinygrad"
VERSION = f"{version('tinygrad')} ({Device.DEFAULT})"  # they differ in more than speed
DTYPES = ("float64", "float32", "float16", "bfloat16")
LAYOUT = "BHTD"
REFUSALS = (RuntimeError, IndexError)

Array = Any


def _attend(query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
    return {"output": query.scaled_dot_product_attention(key, value, is_causal=is_causal)}


def _pull_back(function: Any, leaves: list[Any], upstreams: list[Any]) -> Any:
    (output,), (upstream,) = function(*leaves), upstreams
    return output.gradient(*leaves, gradient=upstream)


def _tensor(array: Array) -> Any:
    """Return a tensor of the same type; bfloat16 goes by its bits."""
    is_bfloat16 = array.dtype.name == "bfloat16"
    return Tensor(array.view(np.uint16)).bitcast(dtypes.bfloat16) if is_bfloat16 else Tensor(array)


def _array(tensor: Any) -> Array:
    is_bfloat16 = tensor.dtype == dtypes.bfloat16
    return tensor.bitcast(dtypes.uint16).numpy().view("bfloat16") if is_bfloat16 else tensor.numpy()


_TINYGRAD = Framework(_tensor, _array, _pull_back)
attention, attention_vjp = _TINYGRAD.attention(partial(_attend, is_causal=False))
causal_attention, causal_attention_vjp = _TINYGRAD.attention(partial(_attend, is_causal=True))
