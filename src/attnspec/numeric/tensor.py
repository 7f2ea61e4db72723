"""An immutable binary64 tensor: what enters and leaves the reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnspec.errors import ShapeMismatchError
from attnspec.numeric.binary64 import equal_bits


class Tensor:
    """A read-only float64 array; equal to another when shape and every bit agree.

    Args:
        values: anything that NumPy takes for float64; the data are copied.
        shape: the shape it must have, where the caller knows it.

    Raises:
        ShapeMismatchError: the values have another shape.
    """

    __slots__ = ("array",)

    array: NDArray[np.float64]

    def __init__(self, values: ArrayLike, shape: Sequence[int] | None = None) -> None:
        array = np.array(values, dtype=np.float64, order="C")
        if shape is not None and array.shape != tuple(shape):
            raise ShapeMismatchError(expected=tuple(shape), actual=array.shape)
        object.__setattr__(self, "array", _locked(array))

    @classmethod
    def taking(cls, array: NDArray[np.float64]) -> Tensor:
        """Return the tensor of an array that was just made and that nobody writes into any more: it is not copied."""
        tensor = cls.__new__(cls)
        object.__setattr__(tensor, "array", _locked(np.asarray(array, order="C")))
        return tensor

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Tensor cannot be changed; make another one instead of setting {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Tensor cannot be changed; {name} stays")

    def __reduce__(self) -> tuple[type[Tensor], tuple[NDArray[np.float64]]]:
        return Tensor, (self.array,)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def rank(self) -> int:
        return self.array.ndim

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tensor) and equal_bits(self.array, other.array)

    def __hash__(self) -> int:
        return hash((self.shape, self.array.tobytes()))

    def __repr__(self) -> str:
        return f"Tensor({self.array.tolist()!r}, shape={self.shape})"


def _locked(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a view that cannot be unlocked, as that of an array could be."""
    return np.asarray(memoryview(array).toreadonly())  # type: ignore[arg-type]  # an array is a buffer
