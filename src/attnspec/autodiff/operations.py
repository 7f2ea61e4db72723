"""The operations that a tape records, each with its backward rule beside it (tape).

Overflow is no warning here: the tape refuses what is not finite.
"""

from __future__ import annotations

import numpy as np

from attnspec.autodiff.tape import FloatArray, Value
from attnspec.numeric.matrix_product import check_factors, transpose
from attnspec.numeric.tiled_product import product


@np.errstate(all="ignore")
def matrix_product(left: Value, right: Value) -> Value:
    """Multiply [..., M, K] by [..., K, N] with equal leading axes; every element is an ordered sum.

    Raises:
        RankError, ShapeMismatchError, InnerWidthError: the checks of `check_factors`.
    """
    check_factors(left.shape, right.shape)

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        return (
            product(gradient, transpose(right.array), wanted=left.support),  # [..., M, K]
            product(transpose(left.array), gradient),  # [..., K, N]
        )

    return left.tape.record("matrix_product", (left, right), product(left.array, right.array), backward)


@np.errstate(all="ignore")
def row_products(query: Value, key: Value) -> Value:
    """Multiply every row of [..., T_q, d] with every row of [..., T_k, d]: [..., T_q, T_k] dot products.

    Raises:
        RankError, ShapeMismatchError, InnerWidthError: the checks of `check_factors` on the query and the turned key.
    """
    check_factors(query.shape, (*key.shape[:-2], *key.shape[-2:][::-1]))

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        return (
            product(gradient, key.array),  # [..., T_q, d]
            product(transpose(gradient), query.array),  # [..., T_k, d]
        )

    return query.tape.record("row_products", (query, key), product(query.array, transpose(key.array)), backward)


@np.errstate(all="ignore")
def project(rows: Value, weight: Value) -> Value:
    """Multiply the last axis of [..., fan_in] by [fan_in, fan_out]; leading axes merge in row-major order.

    Raises:
        RankError, InnerWidthError: the weight is no matrix, or has not a row for each column of the input.
    """
    merged = rows.array.reshape(int(np.prod(rows.shape[:-1])), rows.shape[-1])  # [R, fan_in]
    check_factors(merged.shape, weight.shape)

    def backward(gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        merged_gradient = gradient.reshape(merged.shape[0], weight.shape[1])
        return (
            product(merged_gradient, transpose(weight.array)).reshape(rows.shape),
            product(transpose(merged), merged_gradient),  # a sum over rows, in row-major order
        )

    result = product(merged, weight.array).reshape(*rows.shape[:-1], weight.shape[1])
    return rows.tape.record("project", (rows, weight), result, backward)


@np.errstate(all="ignore")
def scale(values: Value, factor: float) -> Value:
    """Multiply every element by a constant."""

    def backward(gradient: FloatArray) -> tuple[FloatArray]:
        return (np.multiply(gradient, factor, out=gradient),)

    return values.tape.record("scale", (values,), values.array * factor, backward)
