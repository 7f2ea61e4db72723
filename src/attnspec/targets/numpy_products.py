"""Matrix products and projections of the NumPy target, with their gradients by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def matrix_product(left: Array, right: Array) -> Array:
    return left @ right


def matrix_product_vjp(left: Array, right: Array, product_upstream: Array) -> dict[str, Array]:
    return {"left": product_upstream @ turned(right), "right": turned(left) @ product_upstream}


def linear_projection(input: Array, weight: Array) -> Array:
    return input @ weight


def linear_projection_vjp(input: Array, weight: Array, output_upstream: Array) -> dict[str, Array]:
    return {
        "input": output_upstream @ weight.T,
        "weight": np.tensordot(input, output_upstream, (range(input.ndim - 1),) * 2),
    }


def qkv_projection(input: Array, query_weight: Array, key_weight: Array, value_weight: Array) -> dict[str, Array]:
    return {"query": input @ query_weight, "key": input @ key_weight, "value": input @ value_weight}


def qkv_projection_vjp(
    input: Array,
    query_weight: Array,
    key_weight: Array,
    value_weight: Array,
    query_upstream: Array,
    key_upstream: Array,
    value_upstream: Array,
) -> dict[str, Array]:
    query = linear_projection_vjp(input, query_weight, query_upstream)
    key = linear_projection_vjp(input, key_weight, key_upstream)
    value = linear_projection_vjp(input, value_weight, value_upstream)
    return {
        "input": query["input"] + key["input"] + value["input"],
        "query_weight": query["weight"],
        "key_weight": key["weight"],
        "value_weight": value["weight"],
    }


def turned(matrices: Array) -> Array:
    """Swap the last two axes."""
    return np.swapaxes(matrices, -1, -2)
