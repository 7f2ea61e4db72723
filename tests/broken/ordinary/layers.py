"""Products, projections and what is read from a layer; the exponential and the comparison of gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordinary.arrays import Array

BRANCHES = ("query", "key", "value")


class Layers:
    # Products

    def matrix_product(self, left: Array, right: Array) -> dict[str, Any]:
        return {"product": self.product(left, right)}

    def matrix_product_vjp(self, left: Array, right: Array, product: Array) -> dict[str, Array]:
        return {"left": self.left_gradient(product, right), "right": self.right_gradient(left, product)}

    def product(self, left: Array, right: Array) -> Array:
        return left @ right

    def left_gradient(self, upstream: Array, right: Array) -> Array:
        return upstream @ right.swapaxes(-1, -2)

    def right_gradient(self, left: Array, upstream: Array) -> Array:
        return left.swapaxes(-1, -2) @ upstream

    # Projections

    def linear_projection(self, input: Array, weight: Array) -> dict[str, Any]:
        return {"output": self.projected(input, weight)}

    def linear_projection_vjp(self, input: Array, weight: Array, output: Array) -> dict[str, Array]:
        return {"input": self.input_gradient(output, weight), "weight": self.weight_gradient(input, output)}

    def qkv_projection(self, input: Array, *weights: Array, **named: Array) -> dict[str, Any]:
        weights = weights or tuple(named.values())
        return {name: self.projected(input, weight) for name, weight in zip(BRANCHES, weights, strict=True)}

    def qkv_projection_vjp(self, input: Array, *weights: Array, **upstreams: Array) -> dict[str, Array]:
        sent = [self.input_gradient(upstreams[name], weight) for name, weight in zip(BRANCHES, weights, strict=True)]
        own = {f"{name}_weight": self.weight_gradient(input, upstreams[name]) for name in BRANCHES}
        return {"input": self.joined(sent)} | own

    def projected(self, input: Array, weight: Array) -> Array:
        return np.einsum("...i,io->...o", input, weight)

    def input_gradient(self, upstream: Array, weight: Array) -> Array:
        return upstream @ weight.T

    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        return self.rows(input).T @ self.rows(upstream)

    def rows(self, tensor: Array) -> Array:
        return tensor.reshape(math.prod(tensor.shape[:-1]), tensor.shape[-1])

    def joined(self, sent: Sequence[Array]) -> Array:
        """What the three branches send back to their one input."""
        return sent[0] + sent[1] + sent[2]

    # What is read from a layer

    def parameter_names(self, names: Sequence[str]) -> dict[str, Any]:
        return {"names": self.listed(names)}

    def qkv_parameters(self, names: Sequence[str], **weights: Array) -> dict[str, Any]:
        first = weights["query_weight"]
        return {
            "names": self.listed(names),
            "count": self.count(list(weights.values())),
            "model_width": self.model_width(first),
            "head_width": self.head_width(first),
        }

    def listed(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(names)

    def count(self, weights: Sequence[Array]) -> int:
        return sum(weight.size for weight in weights)

    def model_width(self, weight: Array) -> int:
        return int(weight.shape[0])

    def head_width(self, weight: Array) -> int:
        return int(weight.shape[1])

    # Numbers

    def exponential(self, x: Array) -> dict[str, Any]:
        return {"y": self.exp(x)}

    def exp(self, x: Array) -> Array:
        return np.asarray(np.where(np.isnan(x), np.nan, np.exp(x)))

    def gradient_check(self, analytic: Array, numeric: Array, tolerance: Any) -> dict[str, Any]:
        size = self.size(np.abs(analytic), np.abs(numeric))
        difference = np.asarray(np.abs(self.difference(analytic, numeric, size)))
        return {"scaled_difference": difference, "within": self.within(difference, float(tolerance))}

    def size(self, analytic: Array, numeric: Array) -> Array:
        return np.asarray(np.fmax(np.fmax(analytic, numeric), 1.0))

    def difference(self, analytic: Array, numeric: Array, size: Array) -> Array:
        return np.asarray(analytic / size - numeric / size)

    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(difference.max(initial=0.0) <= tolerance)
