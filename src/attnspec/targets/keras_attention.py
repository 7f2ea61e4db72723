"""keras.ops.dot_product_attention on one of its backends, which a process chooses once (conformance).

On PyTorch and JAX, Keras computes what it is given in float64 in float32, and answers in float32: it is not asked for
float64 there.
"""

from __future__ import annotations

import os
import re
from functools import partial
from importlib import import_module
from typing import Any

from attnspec.targets.framework import Framework

NARROW = ("float32", "float16", "bfloat16")


class KerasAttention:
    """Keras on one backend.

    Args:
        backend: `torch`, `jax` or `tensorflow`, for the whole process.
    """

    LAYOUT = "BTHD"

    def __init__(self, backend: str) -> None:
        os.environ["KERAS_BACKEND"] = backend
        pull_back, self.DTYPES, self.REFUSALS = _BACKENDS[backend]()
        keras = import_module("keras")
        self.NAME, self.VERSION = f"keras-{backend}", keras.__version__
        self._ops = keras.ops
        framework = Framework(keras.ops.convert_to_tensor, keras.ops.convert_to_numpy, pull_back)
        self.attention, self.attention_vjp = framework.attention(partial(self._attend, is_causal=False))
        self.causal_attention, self.causal_attention_vjp = framework.attention(partial(self._attend, is_causal=True))

    @staticmethod
    def error_code(exception: Exception, operation: str) -> str | None:
        """Return the code of a refusal where the message says which axis it is about."""
        return next((code for pattern, code in _CODES if re.search(pattern, str(exception))), None)

    def _attend(self, query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
        return {"output": self._ops.dot_product_attention(query, key, value, is_causal=is_causal)}


_CODES = (
    ("only supports 4D inputs|to have rank 4", "rank"),
    ("Size of label 'B'|Expected dimension .+ at axis 0|at non-singleton dimension 0", "batch_mismatch"),
    ("Size of label 'S'|Expected dimension .+ at axis 1", "token_mismatch"),  # of keys and values
    ("Size of label 'H'|Expected dimension .+ at axis 3", "width_mismatch"),
)

_Backend = tuple[Any, tuple[str, ...], tuple[type[Exception], ...]]  # what goes back, types, refusals


def _torch() -> _Backend:
    from attnspec.targets.torch_framework import TORCH

    return TORCH.pull_back, NARROW, (ValueError, RuntimeError)


def _jax() -> _Backend:
    import jax

    logging = import_module("absl.logging")  # where JAX's own attention refuses, Keras logs that and tries another
    logging.set_verbosity(logging.FATAL)
    return lambda function, leaves, upstreams: jax.vjp(function, *leaves)[1](upstreams), NARROW, (ValueError,)


def _tensorflow() -> _Backend:
    from attnspec.targets import tensorflow_attention as tensorflow

    return tensorflow.pull_back, ("float64", *NARROW), (ValueError, *tensorflow.REFUSALS)


_BACKENDS = {"torch": _torch, "jax": _jax, "tensorflow": _tensorflow}


def __getattr__(name: str) -> KerasAttention:
    """Make a backend's target when it is asked for: a process can have one of them."""
    if name.lower() in _BACKENDS and name.isupper():
        return KerasAttention(name.lower())
    raise AttributeError(name)
