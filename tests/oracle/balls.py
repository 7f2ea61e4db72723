"""Tensors of balls: each cell is an interval that surely holds the real number (arb)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_mat, ctx

Times = Callable[[arb_mat, arb_mat], arb_mat]


@dataclass(frozen=True)
class Balls:
    """A tensor's shape and its cells in row-major order."""

    shape: tuple[int, ...]
    cells: list[arb]

    def matrix(self) -> arb_mat:
        """Every row of the last axis, whatever stands before it, as one matrix."""
        return arb_mat(math.prod(self.shape[:-1]), self.shape[-1], self.cells)

    def matrices(self) -> list[arb_mat]:
        """Every matrix of the last two axes."""
        rows, columns = self.shape[-2:]
        starts = range(math.prod(self.shape[:-2]))
        return [arb_mat(rows, columns, self.cells[at * rows * columns : (at + 1) * rows * columns]) for at in starts]


Enclosed = Balls | int | bool | tuple[str, ...]
Upstream = Mapping[str, Balls]


def exact(array: Any) -> Balls:
    """A NumPy array as balls of radius zero: every binary64 number is one real number."""
    return Balls(tuple(array.shape), [arb(number) for number in array.ravel().tolist()])


def from_matrices(shape: tuple[int, ...], matrices: Iterable[arb_mat]) -> Balls:
    cells = [cell for matrix in matrices for cell in matrix.entries()]
    assert len(cells) == math.prod(shape), f"{len(cells)} cells for shape {shape}"
    return Balls(shape, cells)


def zeros(shape: tuple[int, ...]) -> Balls:
    return Balls(shape, [arb(0)] * math.prod(shape))


# Two ways to multiply


def product(left: arb_mat, right: arb_mat) -> arb_mat:
    return left * right


def loose_product(left: arb_mat, right: arb_mat) -> arb_mat:
    """The product with room for the rounding of every step, at the working precision, in any order of sums."""
    share = arb(left.ncols() + 1) * arb(2) ** -ctx.prec
    room = (_absolute(left) * _absolute(right)) * share
    cells = [cell + arb(0, slack.upper()) for cell, slack in zip((left * right).entries(), room.entries(), strict=True)]
    return arb_mat(left.nrows(), right.ncols(), cells)


def _absolute(matrix: arb_mat) -> arb_mat:
    return arb_mat(matrix.nrows(), matrix.ncols(), [abs(cell) for cell in matrix.entries()])


# How well a cell is known

SETTLED_BITS = 80  # an ulp is 2^-52 of the number: the radius is below 2^-27 ulp
NOTHING = arb(2) ** -1150  # far below the smallest subnormal number


def settled(cell: arb) -> bool:
    """Is the radius far below an ulp, or the whole ball far below the smallest number?"""
    return bool(cell.rel_accuracy_bits() >= SETTLED_BITS or (cell.is_finite() and abs(cell) < NOTHING))
