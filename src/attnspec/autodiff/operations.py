"""The operations that a tape records, each with its backward rule beside it (tape)."""

from __future__ import annotations

import numpy as np

from attnspec.autodiff.tape import FloatArray, Value
from attnspec.numeric.matrix_product import ordered_product, transpose


def matrix_product(left: Value, right: Value) -> Value:
    """Multiply [..., M, K] by [..., K, N] with equal leading axes; every element is an ordered sum."""

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        return (
            ordered_product(gradient, transpose(right.array)),  # [..., M, K]
            ordered_product(transpose(left.array), gradient),  # [..., K, N]
        )

    return left.tape.record("matrix_product", (left, right), lambda: ordered_product(left.array, right.array), backward)


def row_products(query: Value, key: Value) -> Value:
    """Multiply every row of [..., T_q, d] with every row of [..., T_k, d]: [..., T_q, T_k] dot products."""

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        return (
            ordered_product(gradient, key.array),  # [..., T_q, d]
            ordered_product(transpose(gradient), query.array),  # [..., T_k, d]
        )

    return query.tape.record(
        "row_products", (query, key), lambda: ordered_product(query.array, transpose(key.array)), backward
    )


def project(rows: Value, weight: Value) -> Value:
    """Multiply the last axis of [..., fan_in] by [fan_in, fan_out]; leading axes merge in row-major order."""
    fan_in, fan_out = weight.shape
    merged = rows.array.reshape(int(np.prod(rows.shape[:-1])), fan_in)  # [R, fan_in]

    def compute() -> FloatArray:
        return ordered_product(merged, weight.array).reshape(*rows.shape[:-1], fan_out)

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        merged_gradient = gradient.reshape(merged.shape[0], fan_out)
        return (
            ordered_product(merged_gradient, transpose(weight.array)).reshape(rows.shape),
            ordered_product(transpose(merged), merged_gradient),  # a sum over rows, in row-major order
        )

    return rows.tape.record("project", (rows, weight), compute, backward)


def scale(values: Value, factor: float) -> Value:
    """Multiply every element by a constant."""
    return values.tape.record("scale", (values,), lambda: values.array * factor, lambda gradient: (gradient * factor,))
