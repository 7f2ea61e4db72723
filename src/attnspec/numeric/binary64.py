"""Bits of floating-point and integer values: to text and back, and how far apart two floats are (arithmetic)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnspec.numeric.formats import dtype_named

NAN_DISTANCE = 2**64
"""The distance between a NaN and anything else that has not the same bits."""


def bits_of(value: float) -> str:
    """Return the 16 hexadecimal digits of a binary64, most significant first.

    Source:
        arithmetic.22
    """
    return np.array(value, dtype=">f8").tobytes().hex()


def float_of(bits: str) -> float:
    """Return the binary64 with these 16 hexadecimal digits; ValueError where they are no such digits.

    Source:
        arithmetic.22
    """
    (value,) = np.frombuffer(bytes.fromhex(bits), dtype=">f8")
    return float(value)


def to_bits(array: NDArray[np.generic]) -> list[str]:
    """Return one string per row of the last axis, the elements' digits separated by spaces.

    A scalar gives one string; an array without elements gives none. Row-major, most significant digit first.

    Source:
        arithmetic.22
    """
    if array.size == 0:
        return []
    size = array.dtype.itemsize
    native = array.astype(array.dtype.newbyteorder("="))
    text = native.view(f"u{size}").astype(f">u{size}").tobytes().hex(" ", size)
    row = (2 * size + 1) * (array.shape[-1] if array.ndim else 1)
    return [text[start : start + row - 1] for start in range(0, len(text), row)]


def from_bits(rows: Sequence[str], shape: Sequence[int], dtype: str = "float64") -> NDArray[np.generic]:
    """Return the array that `to_bits` wrote; ValueError says what is wrong with rows that it cannot have written.

    Source:
        arithmetic.22
    """
    kind = dtype_named(dtype)
    size = kind.itemsize
    count = math.prod(shape)  # of integers without a limit: nothing is allocated before the digits are seen to fit
    width = shape[-1] if shape else 1
    expected = count // width if count else 0
    if len(rows) != expected:
        raise ValueError(f"{len(rows)} rows of bits; shape {list(shape)} has {expected}")
    length = (2 * size + 1) * width - 1
    wrong = next((row for row, text in enumerate(rows) if len(text) != length), None)
    if wrong is not None:
        said = f"row {wrong} of bits has {len(rows[wrong])} characters"
        raise ValueError(f"{said}; {length} are expected, {width} x {2 * size} digits with a space between")
    text = " ".join(rows)
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) != count * size or text[2 * size :: 2 * size + 1].strip(" ") or text != text.lower():
        raise ValueError(f"bits are groups of {2 * size} hexadecimal digits in lower case, one space between")
    array = np.frombuffer(data, dtype=f">u{size}").astype(f"u{size}").view(kind).reshape(tuple(shape))
    array.setflags(write=False)
    return array


def equal_bits(left: NDArray[np.generic], right: NDArray[np.generic]) -> bool:
    """True when shape, type and every bit agree: -0.0 is not 0.0, and one NaN is not another.

    Source:
        arithmetic
    """
    return left.shape == right.shape and left.dtype == right.dtype and left.tobytes() == right.tobytes()


def ulp_distance(left: float, right: float) -> int:
    """Return how many binary64 steps lie between two values.

    -0.0 and 0.0 are one step apart, like any two neighbours; infinity follows the largest finite number.
    A NaN is `NAN_DISTANCE` from everything but the same NaN.

    Source:
        arithmetic
    """
    if left != left or right != right:
        return 0 if bits_of(left) == bits_of(right) else NAN_DISTANCE
    return abs(_ordinal(left) - _ordinal(right))


def _ordinal(value: float) -> int:
    """Number the binary64 values in their order, -0.0 just below 0.0."""
    pattern = int(bits_of(value), 16)
    return pattern if pattern < 2**63 else 2**63 - 1 - pattern
