"""For every element of an answer, how far a correct implementation may be from the truth (conformance).

Bounds are computed from the case's own inputs and the unit roundoff. An infinite bound says that nothing is
known of an element: some admitted order could overflow there, or rounding may do anything to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from attnspec.conformance.head_bounds import Bounds, causal_softmax_bounds, head_bounds, scaled_scores_bounds
from attnspec.conformance.rounding import Bounded, FloatArray, Rounding
from attnspec.corpus.request import Answered, Request

SLACK = 1.0 + 2.0**-20  # the bounds themselves are computed with roundings


def error_bounds(request: Request, truth: Answered, rounding: Rounding | None = None) -> Bounds:
    """Return the largest admitted distance from the truth for each floating-point output and gradient.

    Args:
        request: what was asked.
        truth: the reference's answer.
        rounding: what is admitted; by default binary64 with an exponential of 2 ulps.

    Returns:
        arrays by full name (`output`, `gradients.key`), each of its tensor's shape; outputs that are no
        floating-point tensors are not in it, they must be equal.

    Source:
        conformance
    """
    bound = _BOUNDS.get(request.operation)
    if bound is None:
        return {}
    with np.errstate(all="ignore"):
        bounds = bound(request.inputs, request.upstream, truth, rounding or Rounding())
        return {name: np.asarray(error * SLACK) for name, error in bounds.items()}


Inputs = Mapping[str, Any]


def _exponential(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    result = np.abs(np.asarray(truth.outputs["y"], dtype=np.float64))
    y = rounding.stored(Bounded(result, rounding.exponential * result))
    return {"y": np.where(np.isfinite(result), y.error, 0.0)}


def _matrix_product(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    left, right = rounding.given(inputs["left"]), rounding.given(inputs["right"])
    bounds = {"product": rounding.product(left, right).error}
    if upstream:
        sent = rounding.given(upstream["product"])
        bounds["gradients.left"] = rounding.product(sent, right.turned()).error
        bounds["gradients.right"] = rounding.product(left.turned(), sent).error
    return bounds


def _linear_projection(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    rows, weight = rounding.given(_merged(inputs["input"])), rounding.given(inputs["weight"])
    bounds = {"output": _like(rounding.product(rows, weight).error, inputs["input"])}
    if upstream:
        sent = rounding.given(_merged(upstream["output"]))
        bounds["gradients.input"] = _like(rounding.product(sent, weight.turned()).error, inputs["input"])
        bounds["gradients.weight"] = _weight_gradient(rows, sent, rounding)
    return bounds


def _qkv_projection(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    rows = rounding.given(_merged(inputs["input"]))
    bounds: Bounds = {}
    for branch in ("query", "key", "value"):
        weight = inputs[f"{branch}_weight"]
        bounds[branch] = _like(rounding.product(rows, rounding.given(weight)).error, inputs["input"])
        if branch in upstream:
            sent = rounding.given(_merged(upstream[branch]))
            bounds[f"gradients.{branch}_weight"] = _weight_gradient(rows, sent, rounding)
        elif upstream:
            bounds[f"gradients.{branch}_weight"] = np.zeros(weight.shape)
    if upstream:  # one sum over the widths of all branches, or one for each branch, and their sum
        sent, weights = (
            rounding.given(np.concatenate(parts, axis=-1))
            for parts in (
                [_merged(array) for array in upstream.values()],
                [inputs[f"{branch}_weight"] for branch in upstream],
            )
        )
        whole = rounding.product(sent, weights.turned(), extra=len(upstream) - 1)
        bounds["gradients.input"] = _like(whole.error, inputs["input"])
    return bounds


def _weight_gradient(rows: Bounded, sent: Bounded, rounding: Rounding) -> FloatArray:
    """Bound a sum over batch and tokens; that of the tokens may be stored for each batch element."""
    return rounding.product(rows.turned(), sent, extra=1).error


def _xavier(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    return {
        name: rounding.gamma(6) * np.abs(weight)  # a division, a root, a product, each in two computations
        for name, weight in truth.outputs.items()
        if isinstance(weight, np.ndarray)
    }


def _gradient_check(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    reach = np.maximum(1.0, np.maximum(np.abs(inputs["analytic"]), np.abs(inputs["numeric"])))
    sizes = (np.abs(inputs["analytic"]) + np.abs(inputs["numeric"])) / reach
    return {"scaled_difference": rounding.gamma(2) * sizes + rounding.tiny}


def _attention(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    tokens = inputs["query"].shape[1]
    return head_bounds(inputs, upstream, np.ones((tokens, tokens), dtype=np.bool_), rounding)


def _causal_attention(inputs: Inputs, upstream: Inputs, truth: Answered, rounding: Rounding) -> Bounds:
    tokens = inputs["query"].shape[1]
    bounds = head_bounds(inputs, upstream, np.tri(tokens, dtype=np.bool_), rounding)
    return bounds | {"mask": np.zeros((tokens, tokens))}


_BOUNDS: dict[str, Callable[[Inputs, Inputs, Answered, Rounding], Bounds]] = {
    "exponential": _exponential,
    "matrix_product": _matrix_product,
    "xavier_uniform": _xavier,
    "qkv_initialization": _xavier,
    "linear_projection": _linear_projection,
    "qkv_projection": _qkv_projection,
    "scaled_scores": lambda inputs, upstream, truth, rounding: scaled_scores_bounds(inputs, upstream, rounding),
    "attention": _attention,
    "causal_attention": _causal_attention,
    "causal_softmax": lambda inputs, upstream, truth, rounding: causal_softmax_bounds(inputs, upstream, rounding),
    "gradient_check": _gradient_check,
}


def _merged(array: FloatArray) -> FloatArray:
    """Merge the leading axes into one, in row-major order."""
    return array.reshape(int(np.prod(array.shape[:-1])), array.shape[-1])


def _like(rows: FloatArray, array: FloatArray) -> FloatArray:
    """Give merged rows back their leading axes."""
    return rows.reshape(*array.shape[:-1], rows.shape[-1])
