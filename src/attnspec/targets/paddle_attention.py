"""paddle.nn.functional.scaled_dot_product_attention, on the CPU (conformance)."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about a compiler cache that nobody needs here
    import paddle
    from paddle.nn.functional import scaled_dot_product_attention

from attnspec.targets.framework import Framework

NAME = "paddle"
VERSION = paddle.__version__
DTYPES = ("float64", "float32")  # its matrix product has no narrower type on the CPU
LAYOUT = "BTHD"
REFUSALS = (ValueError, AssertionError)

Array = Any
paddle.set_device("cpu")


def _attend(query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
    return {"output": scaled_dot_product_attention(query, key, value, is_causal=is_causal)}


def _pull_back(function: Any, leaves: list[Any], upstreams: list[Any]) -> Any:
    for leaf in leaves:
        leaf.stop_gradient = False
    return paddle.grad(function(*leaves), leaves, upstreams)


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where Paddle says which axes disagree, of scores or of the mixture."""
    said = str(exception)
    return next((code for words, code in _CODES.items() if words in said), None)


_CODES = {
    "X_broadcast's shape[0] must be equal": "batch_mismatch",
    "[3] dimension of Input(X) must be equal to the [3] dimension of Input(Y)": "width_mismatch",
    "[3] dimension of Input(X) must be equal to the [2] dimension of Input(Y)": "token_mismatch",
}

_PADDLE = Framework(paddle.to_tensor, lambda tensor: tensor.numpy(), _pull_back)
attention, attention_vjp = _PADDLE.attention(partial(_attend, is_causal=False))
causal_attention, causal_attention_vjp = _PADDLE.attention(partial(_attend, is_causal=True))
