"""Arithmetics to try error bounds with: results are rounded to one type, and what is inside a sum to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

AnyArray = NDArray[Any]
Exponential = Callable[[AnyArray], AnyArray]
SIGNS = ("random", "largest", "up", "down", "by column")


class Arithmetic(Protocol):
    """What rounds the steps of a head."""

    def taken(self, values: AnyArray) -> AnyArray:
        """Return an input in the type of results."""
        ...

    def number(self, value: float) -> AnyArray:
        """Return a constant, rounded to the type of results; whole numbers are exact."""
        ...

    def wide(self, values: AnyArray) -> AnyArray:
        """Return the values in the type of sums."""
        ...

    def inside(self, values: AnyArray) -> AnyArray:
        """Return the outcome of an operation on values in the type of sums, rounded to it."""
        ...

    def result(self, values: AnyArray) -> AnyArray:
        """Return the outcome of an operation, rounded to the type of results."""
        ...

    def stored(self, values: AnyArray) -> AnyArray:
        """Return values of the type of sums in that of results; where the two are one, as they are."""
        ...

    def exp(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        """Return exponentials within 2 ulps of results, exactly 1 at 0."""
        ...

    def exp_inside(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        """Return exponentials within 2 ulps of sums, exactly 1 at 0."""
        ...


class AtRandom:
    """Rounds binary64 at random: by up to `unit` in results, and by up to `sums` inside sums.

    Args:
        generator: chooses, for the whole of a head, how the errors go together.
        unit: of results.
        sums: of what is inside a sum.
        tiny: the least normal number.
        flushes: whether smaller results are zero.
    """

    def __init__(
        self, generator: np.random.Generator, unit: float, sums: float, tiny: float = 0.0, flushes: bool = False
    ) -> None:
        self.generator = generator
        self.unit, self.sums, self.tiny = unit, sums, tiny if flushes else 0.0
        self.signs = str(generator.choice(SIGNS))

    def taken(self, values: AnyArray) -> AnyArray:
        return self._flushed(values, self.tiny)

    def number(self, value: float) -> AnyArray:
        return np.asarray(value) if value == round(value) else self.result(np.asarray(value))

    def wide(self, values: AnyArray) -> AnyArray:
        return values

    def inside(self, values: AnyArray) -> AnyArray:
        return self._rounded(values, self.sums, self.tiny if self.sums == self.unit else 0.0)

    def result(self, values: AnyArray) -> AnyArray:
        return self._rounded(values, self.unit, self.tiny)

    def stored(self, values: AnyArray) -> AnyArray:
        return values if self.sums == self.unit else self.result(values)

    def exp(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        return np.where(exponent == 0.0, 1.0, self._rounded(exponential(exponent), 4.0 * self.unit, self.tiny))

    def exp_inside(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        tiny = self.tiny if self.sums == self.unit else 0.0
        return np.where(exponent == 0.0, 1.0, self._rounded(exponential(exponent), 4.0 * self.sums, tiny))

    def _rounded(self, exact: AnyArray, most: float, tiny: float) -> AnyArray:
        """Return the values with a relative error of up to `most`."""
        return self._flushed(np.asarray(exact * (1.0 + most * self._errors(np.shape(exact)))), tiny)

    def _errors(self, shape: tuple[int, ...]) -> AnyArray:
        """Return errors from -1 to 1: anywhere, always at the end, always one way, or up and down by column."""
        if self.signs == "up":
            return np.ones(shape)
        if self.signs == "down":
            return -np.ones(shape)
        if self.signs == "by column":
            return np.broadcast_to(1.0 - 2.0 * (np.arange(shape[-1] if shape else 1) % 2), shape or (1,)).reshape(shape)
        error = self.generator.uniform(-1.0, 1.0, shape)
        return np.sign(error) if self.signs == "largest" else np.asarray(error)

    @staticmethod
    def _flushed(values: AnyArray, tiny: float) -> AnyArray:
        return np.where(np.abs(values) < tiny, 0.0, values) if tiny else values


class InType:
    """Computes in real types of NumPy's: every operation rounds by itself.

    Args:
        results: the type of inputs and results.
        sums: the type inside sums.
        tiny: the least normal number of the results' type.
        flushes: whether smaller results are zero.
    """

    def __init__(self, results: np.dtype[Any], sums: np.dtype[Any], tiny: float, flushes: bool) -> None:
        self.results, self.sums = results, sums
        self.tiny = tiny if flushes else 0.0

    def taken(self, values: AnyArray) -> AnyArray:
        return self.result(values)

    def number(self, value: float) -> AnyArray:
        return np.asarray(value).astype(self.results)

    def wide(self, values: AnyArray) -> AnyArray:
        return values.astype(self.sums)

    def inside(self, values: AnyArray) -> AnyArray:
        return self._stored(values, self.sums)

    def result(self, values: AnyArray) -> AnyArray:
        return self._stored(values, self.results)

    def stored(self, values: AnyArray) -> AnyArray:
        return self.result(values)

    def exp(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        return self.result(exponential(exponent))

    def exp_inside(self, exponential: Exponential, exponent: AnyArray) -> AnyArray:
        return self.inside(exponential(exponent))

    def _stored(self, values: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
        stored = np.asarray(values).astype(dtype)
        if self.tiny and dtype == self.results:
            return np.where(np.abs(stored) < dtype.type(self.tiny), dtype.type(0), stored)
        return stored
