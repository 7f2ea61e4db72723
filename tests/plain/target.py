"""The plain reference as a Python target: NumPy arrays at the skin, plain floats inside.

It refuses the faults of the core profile and takes every other input as it comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import plain
from plain.arrays import Array, Value

Outputs = dict[str, Any]
Tensor = np.ndarray[Any, Any]


def exponential(x: Tensor) -> Outputs:
    return _forward("exponential", x=x)


def matrix_product(left: Tensor, right: Tensor) -> Outputs:
    return _forward("matrix_product", left=left, right=right)


def matrix_product_vjp(left: Tensor, right: Tensor, product_upstream: Tensor) -> Outputs:
    return _backward("matrix_product", {"product": product_upstream}, left=left, right=right)


def splitmix64(seed: int, count: int) -> Outputs:
    return _forward("splitmix64", seed=seed, count=count)


def xavier_uniform(seed: int, fan_in: int, fan_out: int) -> Outputs:
    return _forward("xavier_uniform", seed=seed, fan_in=fan_in, fan_out=fan_out)


def parameter_names(names: tuple[str, ...]) -> Outputs:
    return _forward("parameter_names", names=names)


def linear_projection(input: Tensor, weight: Tensor) -> Outputs:
    return _forward("linear_projection", input=input, weight=weight)


def linear_projection_vjp(input: Tensor, weight: Tensor, output_upstream: Tensor) -> Outputs:
    return _backward("linear_projection", {"output": output_upstream}, input=input, weight=weight)


def qkv_projection(input: Tensor, query_weight: Tensor, key_weight: Tensor, value_weight: Tensor) -> Outputs:
    weights = {"query_weight": query_weight, "key_weight": key_weight, "value_weight": value_weight}
    return _forward("qkv_projection", input=input, **weights)


def qkv_projection_vjp(
    input: Tensor,
    query_weight: Tensor,
    key_weight: Tensor,
    value_weight: Tensor,
    query_upstream: Tensor,
    key_upstream: Tensor,
    value_upstream: Tensor,
) -> Outputs:
    weights = {"query_weight": query_weight, "key_weight": key_weight, "value_weight": value_weight}
    upstream = {"query": query_upstream, "key": key_upstream, "value": value_upstream}
    return _backward("qkv_projection", upstream, input=input, **weights)


def qkv_parameters(names: tuple[str, ...], query_weight: Tensor, key_weight: Tensor, value_weight: Tensor) -> Outputs:
    weights = {"query_weight": query_weight, "key_weight": key_weight, "value_weight": value_weight}
    return _forward("qkv_parameters", names=names, **weights)


def qkv_initialization(prefix: str, model_width: int, head_width: int, seed: int) -> Outputs:
    return _forward("qkv_initialization", prefix=prefix, model_width=model_width, head_width=head_width, seed=seed)


def scaled_scores(query: Tensor, key: Tensor) -> Outputs:
    return _forward("scaled_scores", query=query, key=key)


def scaled_scores_vjp(
    query: Tensor, key: Tensor, scaled_scores_upstream: Tensor, raw_scores_upstream: Tensor | None = None
) -> Outputs:
    upstream = {"scaled_scores": scaled_scores_upstream, "raw_scores": raw_scores_upstream}
    return _backward("scaled_scores", upstream, query=query, key=key)


def attention(query: Tensor, key: Tensor, value: Tensor) -> Outputs:
    return _forward("attention", query=query, key=key, value=value)


def attention_vjp(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output_upstream: Tensor,
    raw_scores_upstream: Tensor | None = None,
    scaled_scores_upstream: Tensor | None = None,
    probabilities_upstream: Tensor | None = None,
) -> Outputs:
    upstream = {
        "output": output_upstream,
        "raw_scores": raw_scores_upstream,
        "scaled_scores": scaled_scores_upstream,
        "probabilities": probabilities_upstream,
    }
    return _backward("attention", upstream, query=query, key=key, value=value)


def causal_mask(tokens: int) -> Outputs:
    return _forward("causal_mask", tokens=tokens)


def causal_softmax(scores: Tensor) -> Outputs:
    return _forward("causal_softmax", scores=scores)


def causal_softmax_vjp(scores: Tensor, probabilities_upstream: Tensor) -> Outputs:
    return _backward("causal_softmax", {"probabilities": probabilities_upstream}, scores=scores)


def causal_attention(query: Tensor, key: Tensor, value: Tensor) -> Outputs:
    return _forward("causal_attention", query=query, key=key, value=value)


def causal_attention_vjp(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output_upstream: Tensor,
    raw_scores_upstream: Tensor | None = None,
    scaled_scores_upstream: Tensor | None = None,
    probabilities_upstream: Tensor | None = None,
) -> Outputs:
    upstream = {
        "output": output_upstream,
        "raw_scores": raw_scores_upstream,
        "scaled_scores": scaled_scores_upstream,
        "probabilities": probabilities_upstream,
    }
    return _backward("causal_attention", upstream, query=query, key=key, value=value)


def gradient_check(analytic: Tensor, numeric: Tensor, tolerance: Tensor) -> Outputs:
    return _forward("gradient_check", analytic=analytic, numeric=numeric, tolerance=tolerance)


# The skin


def plain_values(values: Mapping[str, Any]) -> dict[str, Value]:
    """NumPy arrays as plain arrays; everything else as it is."""
    return {
        name: Array(value.shape, value.ravel().tolist()) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def _forward(operation: str, **inputs: Any) -> Outputs:
    _refuse(operation, inputs)
    outputs, _ = plain.answer(operation, plain_values(inputs), {})
    return {name: numpy_value(value) for name, value in outputs.items()}


def _backward(operation: str, upstream: Mapping[str, Tensor | None], **inputs: Any) -> Outputs:
    _refuse(operation, inputs)
    named = {name: Array(given.shape, given.ravel().tolist()) for name, given in upstream.items() if given is not None}
    _, gradients = plain.answer(operation, plain_values(inputs), named)
    return {name: numpy_value(value) for name, value in gradients.items()}


def numpy_value(value: Value) -> Any:
    if not isinstance(value, Array):
        return value
    return np.array(value.cells, dtype=np.uint64 if value.whole else np.float64).reshape(value.shape)


def _refuse(operation: str, inputs: Mapping[str, Any]) -> None:
    """The shapes that no extension can give a meaning."""
    shapes = {name: value.shape for name, value in inputs.items() if isinstance(value, np.ndarray)}
    pairs = [("left", -1, "right", -2), ("query", -1, "key", -1), ("key", -2, "value", -2), ("input", -1, "weight", 0)]
    pairs += [("input", -1, f"{branch}_weight", 0) for branch in ("query", "key", "value")]
    for one, axis, other, other_axis in pairs:
        if one in shapes and other in shapes and shapes[one][axis] != shapes[other][other_axis]:
            raise ValueError(f"{operation}: {one} {shapes[one]} does not fit {other} {shapes[other]}")
