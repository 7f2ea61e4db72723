"""paddle.nn.functional.scaled_dot_product_attention, on the CPU (conformance)."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about a compiler cache that nobody needs here
    import paddle
    from paddle.nn.functional import scaled_dot_product_attention

NAME = "paddle"
VERSION = paddle.__version__
DTYPES = ("float64", "float32")  # its matrix product has no narrower type on the CPU
LAYOUT = "BTHD"
REFUSALS = (ValueError, AssertionError)

Array = Any
paddle.set_device("cpu")


def _forward(query: Array, key: Array, value: Array, is_causal: bool) -> Array:
    inputs = [paddle.to_tensor(each) for each in (query, key, value)]
    return scaled_dot_product_attention(*inputs, is_causal=is_causal).numpy()


def _gradients(query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool) -> dict[str, Array]:
    leaves = [paddle.to_tensor(each) for each in (query, key, value)]
    for leaf in leaves:
        leaf.stop_gradient = False
    output = scaled_dot_product_attention(*leaves, is_causal=is_causal)
    gradients = paddle.grad([output], leaves, [paddle.to_tensor(output_upstream)])
    return {name: each.numpy() for name, each in zip(("query", "key", "value"), gradients, strict=True)}


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where Paddle says which axes disagree, of scores or of the mixture."""
    said = str(exception)
    return next((code for words, code in _CODES.items() if words in said), None)


_CODES = {
    "X_broadcast's shape[0] must be equal": "batch_mismatch",
    "[3] dimension of Input(X) must be equal to the [3] dimension of Input(Y)": "width_mismatch",
    "[3] dimension of Input(X) must be equal to the [2] dimension of Input(Y)": "token_mismatch",
}

attention = partial(_forward, is_causal=False)
causal_attention = partial(_forward, is_causal=True)
attention_vjp = partial(_gradients, is_causal=False)
causal_attention_vjp = partial(_gradients, is_causal=True)
