"""The exponential in pairs of binary64 numbers: for the few arguments that the fast form leaves open (exponential).

A pair holds about 100 bits, so that what it cannot decide is left for arbitrary precision once in some hundred
million times; and it rounds once to the subnormal numbers, which the fast form cannot. spec/exponential.md
derives the bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnspec.numeric.powers_of_two import HEAD, MIDDLE, PART_BITS, PARTS, PER_PART, REST, powers_of_two

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
Pair = tuple[FloatArray, FloatArray]
"""high + low, with low at most half a unit in the last place of high."""

CAREFUL_BOUND = 2.0**-93
"""How far high + low may be from exp(x) / 2**exponent, a number in [1, 2) or just below."""

_LAST_NORMAL = -1021  # from this exponent on the result is normal
_SUBNORMAL_BITS = 1074  # subnormal numbers count units of 2**-1074
_SPLIT = 2.0**27 + 1.0  # cuts a binary64 number into two halves


def careful_exponential(x: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return exp(x), and where it is certainly the correctly rounded one.

    Args:
        x: [N], from -746 to 710.

    Source:
        exponential.1, exponential.5 to exponential.7
    """
    high, low, exponent = approximation(x)
    above, below = high + (low + CAREFUL_BOUND), high + (low - CAREFUL_BOUND)
    value, decided = np.ldexp(above, exponent), above == below
    small = np.flatnonzero(exponent < _LAST_NORMAL)
    value[small], decided[small] = _subnormal(high[small], low[small], exponent[small])
    return value, decided


def approximation(x: FloatArray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return high, low, exponent: exp(x) = (high + low) * 2**exponent up to CAREFUL_BOUND * 2**exponent.

    Source:
        exponential
    """
    n = np.rint(x * PER_PART)
    r, r_low = _sum(x - n * HEAD, -(n * MIDDLE))  # both products are exact, and so is the difference
    r, r_low = _sum(r, r_low - n * REST)
    square, square_low = _product(r, r)
    cubic = square * r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0)))
    series, series_low = _sum(r, 0.5 * square)  # exp(r) - 1
    series_low = series_low + (((0.5 * square_low + r * r_low) + r_low) + cubic)
    count = n.astype(np.int64)
    part = count & (PARTS - 1)
    power, power_low = (table.take(part) for table in powers_of_two())
    change, change_low = _product(power, series)
    high, rest = _sum(power, change)
    low = rest + ((change_low + power * series_low) + (power_low + power_low * series))
    return (*_sum(high, low), (count >> PART_BITS).astype(np.int32))


def _subnormal(high: FloatArray, low: FloatArray, exponent: IntArray) -> tuple[FloatArray, BoolArray]:
    """Round once to a whole number of units of 2**-1074, which is the result's bit pattern."""
    units = np.ldexp(high, exponent + _SUBNORMAL_BITS)  # exact, as are all but the last additions
    more = np.ldexp(low, exponent + _SUBNORMAL_BITS)
    doubt = np.ldexp(CAREFUL_BOUND, exponent + _SUBNORMAL_BITS) + 2.0**-50
    whole = np.rint(units)
    rest = units - whole
    above, below = np.rint(rest + (more + doubt)), np.rint(rest + (more - doubt))
    return (whole + above).astype(np.int64).view(np.float64), above == below


def _sum(one: FloatArray, other: FloatArray) -> Pair:
    """Return a sum and what its rounding lost, exactly (Knuth)."""
    total = one + other
    back = total - one
    return total, (one - (total - back)) + (other - back)


def _product(one: FloatArray, other: FloatArray) -> Pair:
    """Return a product and what its rounding lost, exactly (Dekker)."""
    (one_high, one_low), (other_high, other_low) = _halves(one), _halves(other)
    total = one * other
    lost = ((one_high * other_high - total) + one_high * other_low + one_low * other_high) + one_low * other_low
    return total, lost


def _halves(value: FloatArray) -> Pair:
    """Cut a number into two of 26 bits (Veltkamp)."""
    scaled = value * _SPLIT
    high = scaled - (scaled - value)
    return high, value - high
