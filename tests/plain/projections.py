"""Projections, their names and their first weights (chapter A)."""

from __future__ import annotations

from plain import arithmetic
from plain.arrays import Array, Matrix, Upstream, Value, from_rows, started

BRANCHES = ("query", "key", "value")


def parameter_names(names: tuple[str, ...]) -> dict[str, Value]:
    return {"names": tuple(names)}


def project(inputs: Array, weight: Array) -> Array:
    """Every row of the input times the weight; rows never meet."""
    columns = weight.shape[1]
    return from_rows((*inputs.shape[:-1], columns), arithmetic.product(inputs.rows(), weight.rows(), columns))


def towards_input(gradient: Array, weight: Array) -> Matrix:
    """dY · Wᵀ, a row for each row of the input."""
    return arithmetic.product_with_transpose(gradient.rows(), weight.rows())


def towards_weight(inputs: Array, gradient: Array, weight: Array) -> Array:
    """Xᵀ · dY, batch and tokens being one axis of rows."""
    return from_rows(weight.shape, arithmetic.transpose_times(inputs.rows(), gradient.rows(), *weight.shape))


def linear_projection(input: Array, weight: Array) -> dict[str, Value]:
    return {"output": project(input, weight)}


def linear_projection_vjp(input: Array, weight: Array, upstream: Upstream) -> dict[str, Array]:
    gradient = started(upstream, "output", (*input.shape[:-1], weight.shape[1]))
    return {
        "input": from_rows(input.shape, towards_input(gradient, weight)),
        "weight": towards_weight(input, gradient, weight),
    }


def qkv_projection(input: Array, query_weight: Array, key_weight: Array, value_weight: Array) -> dict[str, Value]:
    weights = (query_weight, key_weight, value_weight)
    return {branch: project(input, weight) for branch, weight in zip(BRANCHES, weights, strict=True)}


def qkv_projection_vjp(
    input: Array, query_weight: Array, key_weight: Array, value_weight: Array, upstream: Upstream
) -> dict[str, Array]:
    weights = dict(zip(BRANCHES, (query_weight, key_weight, value_weight), strict=True))
    starts = {
        branch: started(upstream, branch, (*input.shape[:-1], weight.shape[1])) for branch, weight in weights.items()
    }
    parts = [towards_input(starts[branch], weights[branch]) for branch in BRANCHES]
    return {"input": from_rows(input.shape, joined(parts))} | {
        f"{branch}_weight": towards_weight(input, starts[branch], weights[branch]) for branch in BRANCHES
    }


def joined(parts: list[Matrix]) -> Matrix:
    """What the branches send back to their one input: ((0.0 + query's) + key's) + value's."""
    return [[arithmetic.total(cells) for cells in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def qkv_parameters(
    names: tuple[str, ...], query_weight: Array, key_weight: Array, value_weight: Array
) -> dict[str, Value]:
    model_width, head_width = query_weight.shape
    count = sum(len(weight.cells) for weight in (query_weight, key_weight, value_weight))
    return {"names": tuple(names), "count": count, "model_width": model_width, "head_width": head_width}


def qkv_initialization(prefix: str, model_width: int, head_width: int, seed: int) -> dict[str, Value]:
    weights: dict[str, Value] = {}
    for branch in BRANCHES:
        weights[f"{branch}_weight"], seed = arithmetic.xavier(seed, model_width, head_width)
    return weights | {"names": tuple(f"{prefix}.{branch}.weight" for branch in BRANCHES), "state": seed}
