"""The exponential, rounded to nearest even: the one function beside + - * / and sqrt (exponential).

`exponential_definition` says what it is; `exponential` gives the same bits several hundred times faster. It
works in plain binary64 with a proved error bound and keeps what the bound decides; the rest goes to pairs of
numbers with a bound of their own (careful_exponential), and what is open even then to the definition: so no bit
comes from an uncertified approximation. spec/exponential.md derives the bounds.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnspec.numeric.careful_exponential import careful_exponential
from attnspec.numeric.plain_form import is_plain
from attnspec.numeric.powers_of_two import HEAD, PART_BITS, PARTS, PER_PART, TAIL, powers_of_two

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

_UNDERFLOW = -746.0  # below it exp(x) < 2**-1076, less than half the smallest subnormal
_OVERFLOW = 710.0  # from here on exp(x) > 2**1024
_LOWEST = -708.0  # from here up to _HIGHEST the result is finite and normal: the fast form's range
_HIGHEST = 709.0
_BLOCK = 16384  # elements at a time, so that the intermediate arrays stay in the cache
_ROUNDER = 1.5 * 2.0**52  # added to a number below 2**51, it leaves the nearest whole number in the last bits
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
    if is_plain():
        return _by_definition(values)
    flat = values.reshape(-1)
    result = np.empty_like(flat)
    with np.errstate(all="ignore"):
        left_open = [np.empty(0, dtype=np.int64)]
        for start in range(0, flat.size, _BLOCK):
            block = slice(start, start + _BLOCK)
            left_open.append(start + _fill_in(flat[block], result[block]))
        places = np.concatenate(left_open)
        for start in range(0, places.size, _BLOCK):
            some = places[start : start + _BLOCK]
            result[some] = _rest(flat[some])
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


def _by_definition(values: FloatArray) -> FloatArray:
    """Ask the definition, once for equal arguments: it takes some 10 microseconds."""
    arguments, places = np.unique(values, return_inverse=True)
    results = np.array([exponential_definition(x) for x in arguments.tolist()], dtype=np.float64)
    return np.asarray(results[places].reshape(values.shape))


def _fill_in(x: FloatArray, result: FloatArray) -> IntArray:
    """Write what the fast form decides, and return the places that it leaves open."""
    outside = None
    if not (x.min() >= _LOWEST and x.max() <= _HIGHEST):  # also where there is a NaN
        outside = ~((x >= _LOWEST) & (x <= _HIGHEST))
        x = np.where(outside, 0.0, x)
    high, low, exponent = _approximation(x)
    above, below = high + (low + ERROR_BOUND), high + (low - ERROR_BOUND)
    np.add(above.view(np.int64), exponent << 52, out=result.view(np.int64))  # times 2**exponent, exactly: it is normal
    is_open = above != below
    return np.flatnonzero(is_open if outside is None else is_open | outside)


def _approximation(x: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return high, low, exponent: exp(x) = (high + low) * 2**exponent up to ERROR_BOUND * 2**exponent.

    The exponent stands in the last 12 bits, where it is needed; what stands before it means nothing.
    """
    rounded = x * PER_PART + _ROUNDER
    n = rounded - _ROUNDER
    count = rounded.view(np.int64)  # n, in its last 51 bits
    r = (x - n * HEAD) - n * TAIL  # the first difference is exact
    series = r + (r * r) * (0.5 + r * (_SIXTH + r * _TWENTY_FOURTH))  # exp(r) - 1
    part = count & (PARTS - 1)
    power_high, power_low = powers_of_two()
    power = power_high.take(part)
    change = power * series
    high = power + change
    low = ((power - high) + change) + power_low.take(part)  # Fast2Sum: the bracket is exactly what high lost
    return high, low, count >> PART_BITS


def _rest(x: FloatArray) -> FloatArray:
    """Return the exponential of what the fast form left open, mostly by pairs, seldom by the definition."""
    result = np.where(x < _UNDERFLOW, 0.0, np.where(x >= _OVERFLOW, np.inf, np.nan))
    places = np.flatnonzero((x >= _UNDERFLOW) & (x < _OVERFLOW))
    result[places], decided = careful_exponential(x[places])
    for place in places[~decided]:
        result[place] = exponential_definition(float(x[place]))
    return result
