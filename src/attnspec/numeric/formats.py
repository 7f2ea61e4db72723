"""The binary floating-point formats that a target may compute in (conformance)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module

import numpy as np


@dataclass(frozen=True)
class FloatFormat:
    """A format of IEEE 754, or bfloat16.

    Args:
        name: of its NumPy type.
        precision: bits of the significand, the leading one included.
        most: the largest exponent; the least normal one is `1 - most`.
    """

    name: str
    precision: int
    most: int

    @property
    def unit(self) -> float:
        """The unit roundoff: the most that one rounding may be off, relative to its result."""
        return math.ldexp(1.0, -self.precision)

    @property
    def tiny(self) -> float:
        """The least normal number: what a flush to zero may lose."""
        return math.ldexp(1.0, 1 - self.most)

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return math.ldexp(2.0 - math.ldexp(1.0, 1 - self.precision), self.most)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The NumPy type; ImportError where it comes from a package that is not installed."""
        return dtype_named(self.name)


FORMATS = {
    one.name: one
    for one in (
        FloatFormat("float64", 53, 1023),
        FloatFormat("float32", 24, 127),
        FloatFormat("float16", 11, 15),
        FloatFormat("bfloat16", 8, 127),
    )
}


def dtype_named(name: str) -> np.dtype[np.generic]:
    """Return the NumPy type of this name; bfloat16 is one only once `ml_dtypes` is imported.

    Source:
        conformance
    """
    if name == "bfloat16":
        import_module("ml_dtypes")
    return np.dtype(name)
