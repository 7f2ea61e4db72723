"""Sums in a fixed order, and the matrix product made of them (matrix_product, arithmetic).

Every sum starts from +0.0 and runs in increasing index order. One NumPy call is one rounding per
element, and two calls are never fused: so the bits do not depend on the machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnspec.errors import InnerWidthError, RankError, ShapeMismatchError

FloatArray = NDArray[np.float64]


def ordered_sum(values: FloatArray) -> FloatArray:
    """Sum over the last axis in index order from +0.0.

    Args:
        values: [..., N].

    Returns:
        [...]; +0.0 where N is 0, never -0.0.

    Source:
        arithmetic.1, arithmetic.2
    """
    total = np.zeros(values.shape[:-1])
    for index in range(values.shape[-1]):
        total = total + values[..., index]
    return total


def ordered_product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Multiply matrices over the last two axes; each element is an ordered sum of products.

    Args:
        left: [..., M, K].
        right: [..., K, N], with the same leading axes.

    Returns:
        [..., M, N].

    Source:
        matrix_product.1 to matrix_product.4, arithmetic.1
    """
    product = np.zeros((*left.shape[:-1], right.shape[-1]))
    for inner in range(left.shape[-1]):
        product = product + left[..., inner, None] * right[..., inner, None, :]
    return product


def check_factors(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    """Check the shapes of two factors, in this order.

    Args:
        left: the shape [..., M, K].
        right: the shape [..., K, N].

    Raises:
        RankError: a factor has fewer than two axes; left is checked first.
        ShapeMismatchError: the leading axes differ.
        InnerWidthError: the left factor's columns are not the right one's rows.

    Source:
        matrix_product.5 to matrix_product.8
    """
    for name, shape in (("left", left), ("right", right)):
        if len(shape) < 2:
            raise RankError(tensor=name, rank=len(shape), expected=2)
    if left[:-2] != right[:-2]:
        raise ShapeMismatchError(expected=left[:-2], actual=right[:-2])
    if left[-1] != right[-2]:
        raise InnerWidthError(left=left[-1], right=right[-2])


def inner_product(left: FloatArray, right: FloatArray) -> float:
    """Return the sum over all elements of `left * right`, row-major from +0.0.

    Raises:
        ShapeMismatchError: the arrays have not one shape.

    Source:
        arithmetic.11
    """
    if left.shape != right.shape:
        raise ShapeMismatchError(expected=left.shape, actual=right.shape)
    total = 0.0
    for term in (left * right).reshape(-1).tolist():  # as floats: a NumPy call for each would take far longer
        total = total + term
    return float(total)


def transpose(matrix: FloatArray) -> FloatArray:
    """Swap the last two axes.

    Source:
        matrix_product.11, matrix_product.12
    """
    return np.swapaxes(matrix, -1, -2)
