"""A second reference in plain Python: floats, integers and `decimal`, in the order that the specification fixes.

It shares nothing with src. A broken twin replaces one function of `arithmetic`, `projections`,
`softmax` or `heads`: they call each other through the module, so the replacement is seen everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plain import arithmetic, heads, projections, softmax
from plain.arrays import Array, Upstream, Value

__all__ = ["Array", "Value", "answer", "loss"]

PLACES = {
    "exponential": arithmetic,
    "matrix_product": arithmetic,
    "splitmix64": arithmetic,
    "xavier_uniform": arithmetic,
    "parameter_names": projections,
    "linear_projection": projections,
    "qkv_projection": projections,
    "qkv_parameters": projections,
    "qkv_initialization": projections,
    "scaled_scores": heads,
    "attention": heads,
    "causal_mask": softmax,
    "causal_softmax": softmax,
    "causal_attention": heads,
    "gradient_check": arithmetic,
}


def answer(
    operation: str, inputs: Mapping[str, Value], upstream: Upstream
) -> tuple[dict[str, Value], dict[str, Array]]:
    """The outputs, in the order of the vocabulary, and the gradients where an upstream is named."""
    forward: Callable[..., dict[str, Value]] = getattr(PLACES[operation], operation)
    outputs = forward(**inputs)
    if not upstream:
        return outputs, {}
    backward: Callable[..., dict[str, Array]] = getattr(PLACES[operation], f"{operation}_vjp")
    return outputs, backward(**inputs, upstream=upstream)


def loss(outputs: Mapping[str, Any], upstream: Upstream) -> float:
    """The inner products of outputs and upstreams, in the order of the outputs."""
    return arithmetic.total(
        arithmetic.dot(value.cells, upstream[name].cells) for name, value in outputs.items() if name in upstream
    )
