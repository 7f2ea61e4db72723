"""Tensors as aligned text: one matrix per index of the leading axes, long axes abridged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnspec.numeric.binary64 import to_bits

LONGEST = 12  # rows or columns shown whole
EDGE = 4  # rows or columns shown at either end of a longer axis
GAP = "…"

Write = Callable[[Any], str]
"""From an element, a NumPy scalar, to its text."""


def decimals_for(array: NDArray[np.generic]) -> Write:
    """Return how the numbers of a tensor are best read: as integers, with six decimals, or with an exponent."""
    numbers = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    sizes = np.abs(numbers[numbers != 0].astype(np.float64))
    if array.dtype.kind != "f" or (np.all(sizes == np.rint(sizes)) and np.all(sizes < 1e15)):
        return lambda number: str(number.item()) if array.dtype.kind != "f" else f"{number.item():.0f}"
    plain = sizes.min() >= 1e-5 and sizes.max() < 1e6
    return lambda number: f"{number.item():.6f}" if plain else f"{number.item():.6g}"


def hexadecimal(number: Any) -> str:
    """Return the bits of a number."""
    return to_bits(np.asarray(number))[0]


def matrix_lines(array: NDArray[np.generic], write: Write) -> Iterator[str]:
    """Yield the lines of a tensor of any rank; the columns of one matrix are aligned."""
    if array.size == 0:
        yield "(no elements)"
        return
    if array.ndim == 0:
        yield write(array[()])
        return
    matrices = array.reshape(-1, *array.shape[-2:]) if array.ndim > 1 else array.reshape(1, 1, -1)
    for number, matrix in enumerate(matrices):
        if len(matrices) > 1:
            yield f"[{', '.join(map(str, np.unravel_index(number, array.shape[:-2])))}]"
        yield from _aligned(matrix, write)


def _aligned(matrix: NDArray[np.generic], write: Write) -> Iterator[str]:
    rows, columns = _shown(matrix.shape[0]), _shown(matrix.shape[1])
    cells = [
        [GAP if row is None or column is None else write(matrix[row, column]) for column in columns] for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(len(columns))]
    for line in cells:
        yield "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))


def _shown(length: int) -> list[int | None]:
    """Return the indices to print; None stands for what is left out."""
    if length <= LONGEST:
        return list(range(length))
    return [*range(EDGE), None, *range(length - EDGE, length)]
