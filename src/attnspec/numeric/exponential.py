"""The exponential, rounded to nearest even: the one function beside + - * / and sqrt (exponential).

`exponential_definition` says what it is; `exponential` gives the same bits several hundred times faster. It
works in plain binary64 with a proved error bound, keeps what the bound decides and asks the definition
for the rest: so no bit comes from an uncertified approximation. spec/exponential.md derives the bound.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_UNDERFLOW = -746.0  # below it exp(x) < 2**-1076, less than half the smallest subnormal
_OVERFLOW = 710.0  # from here on exp(x) > 2**1024
_LOWEST = -708.0  # from here up to _HIGHEST the result is finite and normal: the fast path's range
_HIGHEST = 709.0
_BLOCK = 8192  # elements at a time, so that the intermediate arrays stay in the cache

_PARTS = 2**13  # x = n * (ln2 / _PARTS) + r, with |r| <= about ln2 / 2**14
_PER_PART = float.fromhex("0x1.71547652b82fep+13")  # _PARTS / ln2
_PART_HEAD = float.fromhex("0x1.62e42ff000000p-14")  # ln2 / _PARTS to 30 bits, so that n * _PART_HEAD is exact
_PART_TAIL = float.fromhex("-0x1.718432a1b0e26p-48")  # what is missing
_SIXTH = 1.0 / 6.0
_TWENTY_FOURTH = 1.0 / 24.0
ERROR_BOUND = 2.0**-65
"""How far high + low may be from exp(x) / 2**exponent, a number in [1, 2) or just below."""


def exponential(x: ArrayLike) -> FloatArray:
    """Return exp(x), correctly rounded.

    Args:
        x: float64 of any shape; infinities and NaN are allowed.

    Returns:
        The same shape: +inf where exp(x) overflows, +0.0 where it underflows, subnormal numbers between, and the
        NaN 7ff8000000000000 for every NaN.

    Source:
        exponential.1 to exponential.9
    """
    values = np.asarray(x, dtype=np.float64)
    flat = values.reshape(-1)
    result = np.empty_like(flat)
    with np.errstate(all="ignore"):
        for start in range(0, flat.size, _BLOCK):
            block = slice(start, start + _BLOCK)
            result[block] = _exponential_block(flat[block])
    return result.reshape(values.shape)


def exponential_definition(x: float) -> float:
    """Return exp(x), correctly rounded, by arbitrary precision and Ziv's test.

    exp(x) lies between the two decimal neighbours of its approximation: where both round to one binary64, so does
    exp(x); otherwise the precision is doubled. That ends, since exp(x) is irrational for every binary64 x but 0,
    and so never midway between two of them; at 0 the decimal neighbours of 1 both round to 1.

    Source:
        exponential.1
    """
    if math.isnan(x):
        return math.nan
    if x >= _OVERFLOW or x < _UNDERFLOW:
        return math.inf if x > 0.0 else 0.0
    precision = 32
    while True:
        context = Context(prec=precision, Emin=-999_999, Emax=999_999, clamp=0, traps=[])  # the caller's plays no part
        y = context.exp(Decimal.from_float(x))
        below, above = float(context.next_minus(y)), float(context.next_plus(y))
        if below == above:
            return above
        precision *= 2


def _exponential_block(x: FloatArray) -> FloatArray:
    inside = (x >= _LOWEST) & (x <= _HIGHEST)
    high, low, exponent = _approximation(np.where(inside, x, 0.0))
    above = high + (low + ERROR_BOUND)
    below = high + (low - ERROR_BOUND)
    result = (above.view(np.int64) + (exponent << 52)).view(np.float64)  # times 2**exponent, exactly: it is normal
    result[x < _UNDERFLOW] = 0.0
    decided = (inside & (above == below)) | (x < _UNDERFLOW)
    for index in np.flatnonzero(~decided):
        result[index] = exponential_definition(float(x[index]))
    return result


def _approximation(x: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return high, low, exponent: exp(x) = (high + low) * 2**exponent up to ERROR_BOUND * 2**exponent."""
    n = np.rint(x * _PER_PART)
    r = (x - n * _PART_HEAD) - n * _PART_TAIL  # the first difference is exact
    series = r + (r * r) * (0.5 + r * (_SIXTH + r * _TWENTY_FOURTH))  # exp(r) - 1
    count = n.astype(np.int64)
    part = count & (_PARTS - 1)
    power_high, power_low = _powers_of_two()
    power = power_high.take(part)
    change = power * series
    high = power + change
    low = ((power - high) + change) + power_low.take(part)  # Fast2Sum: the bracket is exactly what high lost
    return high, low, count >> (_PARTS.bit_length() - 1)


@cache
def _powers_of_two() -> tuple[FloatArray, FloatArray]:
    """Return 2**(j / _PARTS) for every part j as high + low, from integers that count units of 2**-128."""
    one = 1 << 128
    step = 2 * one
    for _ in range(_PARTS.bit_length() - 1):
        step = math.isqrt(step * one)  # ends at 2**(1 / _PARTS)
    high, low = np.empty(_PARTS), np.empty(_PARTS)
    power = one
    for j in range(_PARTS):
        high[j] = power / one  # the division of integers rounds correctly
        low[j] = (power - int(high[j] * 2.0**52) * 2**76) / one
        power = power * step // one
    return high, low
