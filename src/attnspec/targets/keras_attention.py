"""keras.ops.dot_product_attention on one of its backends, which a process chooses once (conformance).

On PyTorch and JAX, Keras computes what it is given in float64 in float32, and answers in float32: it is not asked for
float64 there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partialmethod
from importlib import import_module
from typing import Any

Array = Any
Attend = Callable[..., Any]
NARROW = ("float32", "float16", "bfloat16")


class KerasAttention:
    """Keras on one backend.

    Args:
        backend: `torch`, `jax` or `tensorflow`, for the whole process.
    """

    LAYOUT = "BTHD"

    def __init__(self, backend: str) -> None:
        os.environ["KERAS_BACKEND"] = backend
        self._vjp, self.DTYPES, self.REFUSALS = _BACKENDS[backend]()
        keras = import_module("keras")
        self.NAME, self.VERSION = f"keras-{backend}", keras.__version__
        self._ops = keras.ops

    @staticmethod
    def error_code(exception: Exception, operation: str) -> str | None:
        """Return the code of a refusal where the message says which axis it is about."""
        return next((code for pattern, code in _CODES if re.search(pattern, str(exception))), None)

    def _forward(self, query: Array, key: Array, value: Array, is_causal: bool) -> Array:
        output = self._ops.dot_product_attention(*self._tensors(query, key, value), is_causal=is_causal)
        return self._ops.convert_to_numpy(output)

    def _gradients(
        self, query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool
    ) -> dict[str, Array]:
        def attend(*leaves: Any) -> Any:
            return self._ops.dot_product_attention(*leaves, is_causal=is_causal)

        gradients = self._vjp(attend, self._tensors(query, key, value), *self._tensors(output_upstream))
        return dict(zip(("query", "key", "value"), map(self._ops.convert_to_numpy, gradients), strict=True))

    def _tensors(self, *arrays: Array) -> list[Any]:
        return [self._ops.convert_to_tensor(array) for array in arrays]

    attention = partialmethod(_forward, is_causal=False)
    causal_attention = partialmethod(_forward, is_causal=True)
    attention_vjp = partialmethod(_gradients, is_causal=False)
    causal_attention_vjp = partialmethod(_gradients, is_causal=True)


_CODES = (
    ("only supports 4D inputs|to have rank 4", "rank"),
    ("Size of label 'B'|Expected dimension .+ at axis 0|at non-singleton dimension 0", "batch_mismatch"),
    ("Size of label 'S'|Expected dimension .+ at axis 1", "token_mismatch"),  # of keys and values
    ("Size of label 'H'|Expected dimension .+ at axis 3", "width_mismatch"),
)

_Backend = tuple[Callable[[Attend, list[Any], Any], Sequence[Any]], tuple[str, ...], tuple[type[Exception], ...]]


def _torch() -> _Backend:
    import torch

    def vjp(attend: Attend, inputs: list[Any], upstream: Any) -> Sequence[Any]:
        leaves = [each.requires_grad_() for each in inputs]
        return tuple(torch.autograd.grad(attend(*leaves), leaves, upstream))

    return vjp, NARROW, (ValueError, RuntimeError)


def _jax() -> _Backend:
    import jax

    logging = import_module("absl.logging")  # where JAX's own attention refuses, Keras logs that and tries another
    logging.set_verbosity(logging.FATAL)

    def vjp(attend: Attend, inputs: list[Any], upstream: Any) -> Sequence[Any]:
        return tuple(jax.vjp(attend, *inputs)[1](upstream))

    return vjp, NARROW, (ValueError,)


def _tensorflow() -> _Backend:
    from attnspec.targets.tensorflow_quiet import tf

    def vjp(attend: Attend, inputs: list[Any], upstream: Any) -> Sequence[Any]:
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            output = attend(*inputs)
        return tuple(tape.gradient(output, inputs, upstream))

    return vjp, ("float64", *NARROW), (ValueError, tf.errors.InvalidArgumentError)


_BACKENDS = {"torch": _torch, "jax": _jax, "tensorflow": _tensorflow}


def __getattr__(name: str) -> KerasAttention:
    """Make a backend's target when it is asked for: a process can have one of them."""
    if name.lower() in _BACKENDS and name.isupper():
        return KerasAttention(name.lower())
    raise AttributeError(name)
