"""The binary floating-point formats that a target may compute in, and rounding to one (conformance)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray


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
        return 2.0**-self.precision

    @property
    def tiny(self) -> float:
        """The least normal number: what a flush to zero may lose."""
        return 2.0 ** (1 - self.most)

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return (2.0 - 2.0 ** (1 - self.precision)) * 2.0**self.most

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The NumPy type; ImportError where it comes from a package that is not installed."""
        return dtype_named(self.name)

    def round(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the nearest numbers of this format, ties to even, as float64; too large becomes infinite.

        Source:
            conformance
        """
        if self.name == "float64":
            return values
        with np.errstate(all="ignore"):
            _, exponent = np.frexp(values)  # |x| is in [2^(e-1), 2^e)
            quantum = np.ldexp(1.0, np.maximum(exponent, 2 - self.most) - self.precision)
            rounded = np.where(np.isfinite(values), np.rint(values / quantum) * quantum, values)
            return np.where(np.abs(rounded) > self.largest, np.copysign(np.inf, values), rounded)


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
    """Return the NumPy type of this name; bfloat16 is one only once `ml_dtypes` is imported."""
    if name == "bfloat16":
        import_module("ml_dtypes")
    return np.dtype(name)
