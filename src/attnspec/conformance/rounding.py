"""Error bounds of sums and products: values with the most that any admitted order could be off (conformance).

The unit roundoff here is the sum of the target's and the truth's: a bound limits the distance of two
computations from each other, not of one from the real number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BINARY64_UNIT = 2.0**-53
BINARY64_TINY = 2.0**-1022  # the least normal number: what flushing to zero may lose
LARGEST = float(np.finfo(np.float64).max)


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
    """The roundings that the analysis admits.

    Args:
        unit: the most that one operation may be off, relative to its result.
        tiny: the most that an underflow may lose, absolutely.
        exp_ulps: the declared error of the target's exponential.
    """

    unit: float = 2 * BINARY64_UNIT
    tiny: float = BINARY64_TINY
    exp_ulps: float = 2.0

    def gamma(self, roundings: float | FloatArray) -> FloatArray:
        """Return the relative error that this many roundings in a row can make; infinite where they can do anything."""
        total = np.asarray(roundings * self.unit, dtype=np.float64)
        return np.where(total < 0.5, total / (1.0 - np.minimum(total, 0.5)), np.inf)

    @property
    def exponential(self) -> float:
        """The relative error of one exponential: an ulp is at most two units."""
        return 2.0 * self.exp_ulps * self.unit

    def product(self, left: Bounded, right: Bounded, extra: int = 0) -> Bounded:
        """Bound a matrix product in any order of its sums, fused or not, with some more roundings per term."""
        terms = left.value.shape[-1]
        magnitude = left.reach @ right.reach  # what is rounded, and what could overflow on the way
        carried = left.error @ np.abs(right.value) + np.abs(left.value) @ right.error + left.error @ right.error
        error = carried + self.gamma(terms + extra) * magnitude + 2 * terms * self.tiny
        return Bounded(left.value @ right.value, unknown_where(magnitude > LARGEST / 4, error))

    def scaled(self, values: Bounded, factor: float, roundings: int) -> Bounded:
        """Bound a multiplication by a constant that is itself rounded."""
        error = values.error * factor + self.gamma(roundings) * values.reach * factor + self.tiny
        return Bounded(values.value * factor, error)

    def added(self, *terms: Bounded) -> Bounded:
        """Bound a sum of a few tensors in any order."""
        value = np.sum([term.value for term in terms], axis=0)
        reach = np.sum([term.reach for term in terms], axis=0)
        error = np.sum([term.error for term in terms], axis=0) + self.gamma(len(terms) - 1) * reach
        return Bounded(value, unknown_where(reach > LARGEST / 4, error))


def exact(values: FloatArray) -> Bounded:
    """Return values that are given, not computed."""
    return Bounded(values, np.zeros(values.shape))


def unknown_where(condition: NDArray[np.bool_], error: FloatArray) -> FloatArray:
    """Return the error, infinite where nothing is known: an order could overflow, or the analysis gave up."""
    return np.where(condition | np.isnan(error), np.inf, error)
