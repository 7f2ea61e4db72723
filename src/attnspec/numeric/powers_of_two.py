"""ln 2 in parts, and the powers of two that the exponential is put together from (exponential)."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

PARTS = 2**13  # x = n * (ln2 / PARTS) + r, with |r| <= about ln2 / 2**14
PART_BITS = PARTS.bit_length() - 1
PER_PART = float.fromhex("0x1.71547652b82fep+13")  # PARTS / ln2
HEAD = float.fromhex("0x1.62e42ff000000p-14")  # ln2 / PARTS to 29 bits, so that n * HEAD is exact
TAIL = float.fromhex("-0x1.718432a1b0e26p-48")  # what is missing
MIDDLE = float.fromhex("-0x1.718432a000000p-48")  # its first 28 bits, so that n * MIDDLE is exact
REST = float.fromhex("-0x1.b0e2633fe0685p-80")  # what is missing then


@cache
def powers_of_two() -> tuple[FloatArray, FloatArray]:
    """Return 2**(j / PARTS) for every part j as high + low, from integers that count units of 2**-128.

    Source:
        exponential
    """
    one = 1 << 128
    step = 2 * one
    for _ in range(PART_BITS):
        step = math.isqrt(step * one)  # ends at 2**(1 / PARTS)
    high, low = np.empty(PARTS), np.empty(PARTS)
    power = one
    for j in range(PARTS):
        high[j] = power / one  # the division of integers rounds correctly
        low[j] = (power - int(high[j] * 2.0**52) * 2**76) / one
        power = power * step // one
    return high, low
