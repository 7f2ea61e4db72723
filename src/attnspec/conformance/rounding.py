"""Error bounds of sums and products: values with the most that any admitted order could be off (conformance).

The unit roundoff here is the sum of the target's and the truth's: a bound limits the distance of two
computations from each other, not of one from the real number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attnspec.numeric.formats import FORMATS, FloatFormat

FloatArray = NDArray[np.float64]
BINARY64 = FORMATS["float64"]


@dataclass(frozen=True)
class Bounded:
    """A tensor, and for each element how far an admitted computation may be from it; infinite: nothing is known."""

    value: FloatArray
    error: FloatArray

    @property
    def reach(self) -> FloatArray:
        """The largest magnitude that an admitted computation may have here."""
        return np.abs(self.value) + self.error

    def turned(self) -> Bounded:
        """Swap the last two axes."""
        return Bounded(np.swapaxes(self.value, -1, -2), np.swapaxes(self.error, -1, -2))


@dataclass(frozen=True)
class Rounding:
    """The roundings that the analysis admits: every result to one type, sums in the same or in a wider one.

    Args:
        unit: the most that one operation may be off, relative to its result.
        tiny: the most that an underflow may lose, absolutely.
        exp_ulps: the declared error of the target's exponential.
        largest: the largest finite result.
        sums: the roundings inside a sum, where it accumulates in a wider type.
    """

    unit: float = 2 * BINARY64.unit
    tiny: float = BINARY64.tiny
    exp_ulps: float = 2.0
    largest: float = BINARY64.largest
    sums: Rounding | None = None

    @property
    def inside(self) -> Rounding:
        """What rounds the terms and partial sums of a sum."""
        return self.sums or self

    def gamma(self, roundings: float | FloatArray) -> FloatArray:
        """Return the relative error that so many roundings in a row can make, above or below a fraction's bar."""
        return np.asarray(np.expm1(-np.log1p(-self.unit) * np.asarray(roundings, dtype=np.float64)))

    def summed(self, inside: float | FloatArray, roundings: float = 0) -> FloatArray:
        """Return the relative error of a sum with so many roundings inside it, stored, and rounded so often besides."""
        if self.sums is None:
            return self.gamma(inside + roundings)
        return together(self.sums.gamma(inside), self.gamma(1 + roundings))

    @property
    def exponential(self) -> float:
        """The relative error of one exponential: an ulp is at most two units."""
        return 2.0 * self.exp_ulps * self.unit

    def lost(self, values: Bounded) -> FloatArray:
        """Return what a result below the least normal number may lose, or gain where it is rounded up to a step."""
        below = ((np.abs(values.value) - values.error) * (1.0 - self.unit) < self.tiny) & (values.reach > 0.0)
        return np.where(below, np.clip(values.reach, 2.0 * self.unit * self.tiny, self.tiny), 0.0)

    def stored(self, values: Bounded) -> Bounded:
        """Return results that were rounded already, as they are stored: flushed to zero, or beyond the largest."""
        error = values.error + self.lost(values)
        return Bounded(values.value, unknown_where(values.reach > self.largest, error))

    def given(self, values: FloatArray) -> Bounded:
        """Return inputs: exact, but zero may be read in place of one below the least normal number."""
        return Bounded(values, np.where(np.abs(values) < self.tiny, np.abs(values), 0.0))

    def flushed(self, operations: int, reach: FloatArray) -> FloatArray:
        """Return what so many operations inside a sum may lose together, none more than there is."""
        return np.asarray(operations * np.minimum(self.inside.tiny, reach))

    def product(self, left: Bounded, right: Bounded, extra: int = 0, grown: float = 1.0) -> Bounded:
        """Bound a matrix product in any order of its sums, fused or not.

        Args:
            left: [..., M, K]
            right: [..., K, N]
            extra: further roundings of each term.
            grown: how much larger the terms may be on the way, where a factor is applied to the result.
        """
        terms = left.value.shape[-1]
        magnitude = left.reach @ right.reach  # what is rounded, and what could overflow on the way
        carried = left.error @ np.abs(right.value) + np.abs(left.value) @ right.error + left.error @ right.error
        error = carried + self.summed(terms, extra) * magnitude + self.flushed(2 * terms, magnitude)
        result = Bounded(left.value @ right.value, error)
        inside = magnitude * (1.0 + self.inside.gamma(terms + extra)) * grown
        overflows = (inside > self.inside.largest) | (result.reach * grown > self.largest)
        return self.stored(Bounded(result.value, unknown_where(overflows, error)))

    def added(self, *terms: Bounded) -> Bounded:
        """Bound a sum of a few tensors in any order."""
        value = np.sum([term.value for term in terms], axis=0)
        reach = np.sum([term.reach for term in terms], axis=0)
        rounded = self.gamma(len(terms) - 1) * reach
        error = np.sum([term.error for term in terms], axis=0) + rounded
        return self.stored(Bounded(value, unknown_where(reach + rounded > self.largest, error)))


def together(*relative: float | FloatArray) -> FloatArray:
    """Return the relative error that several make together."""
    return np.asarray(np.expm1(sum(np.log1p(one) for one in relative)))


def rounding_of(dtype: str, accumulates: str = "", exp_ulps: float = 2.0) -> Rounding:
    """Return what is admitted of a target in a type that declares a type for its sums.

    Args:
        dtype: the type of its inputs and results.
        accumulates: the type of its sums; what is no wider than `dtype` admits nothing.
        exp_ulps: the error of its exponential.
    """
    form, wider = FORMATS[dtype], FORMATS.get(accumulates)
    sums = _rounding_in(wider, exp_ulps) if wider and wider.precision > form.precision else None
    return replace(_rounding_in(form, exp_ulps), sums=sums)


def _rounding_in(form: FloatFormat, exp_ulps: float) -> Rounding:
    """Return the roundings of a type: those of the target, and those of the truth."""
    return Rounding(form.unit + BINARY64.unit, form.tiny, exp_ulps, form.largest)


def exact(values: FloatArray) -> Bounded:
    """Return values that are given, not computed."""
    return Bounded(values, np.zeros(values.shape))


def unknown_where(condition: NDArray[np.bool_], error: FloatArray) -> FloatArray:
    """Return the error, infinite where nothing is known: an order could overflow, or the analysis gave up."""
    return np.where(condition | np.isnan(error), np.inf, error)
