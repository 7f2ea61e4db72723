"""A tensor as its shape and its cells in row-major order; empty axes keep their size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Row = list[float]
Matrix = list[Row]


@dataclass(frozen=True)
class Array:
    """Cells are floats; where `whole`, integers of 64 bits."""

    shape: tuple[int, ...]
    cells: list[float]
    whole: bool = False

    def rows(self) -> list[Row]:
        """Every row of the last axis, whatever stands before it."""
        width = self.shape[-1]
        return [self.cells[start * width : (start + 1) * width] for start in range(math.prod(self.shape[:-1]))]

    def matrices(self) -> list[Matrix]:
        """Every matrix of the last two axes."""
        rows, height = self.rows(), self.shape[-2]
        return [rows[start * height : (start + 1) * height] for start in range(math.prod(self.shape[:-2]))]


Value = Array | int | bool | str | tuple[str, ...]
Upstream = Mapping[str, Array]


def from_rows(shape: tuple[int, ...], rows: Iterable[Row]) -> Array:
    cells = [cell for row in rows for cell in row]
    assert len(cells) == math.prod(shape), f"{len(cells)} cells for shape {shape}"
    return Array(shape, cells)


def from_matrices(shape: tuple[int, ...], matrices: Iterable[Matrix]) -> Array:
    return from_rows(shape, (row for matrix in matrices for row in matrix))


def started(upstream: Upstream, name: str, shape: tuple[int, ...]) -> Array:
    """What the gradient of `name` starts from: 0.0 + its own upstream, zeros where none is named (tape)."""
    if name not in upstream:
        return Array(shape, [0.0] * math.prod(shape))
    assert upstream[name].shape == shape, f"the upstream of {name} has shape {upstream[name].shape}, not {shape}"
    return Array(shape, [0.0 + cell for cell in upstream[name].cells])
