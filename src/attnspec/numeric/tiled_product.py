"""The matrix product again, faster and with the same bits: in tiles that stay in the cache (matrix_product).

Every element is the ordered sum that `ordered_product` defines, made by the same two roundings per term. Tiles are
independent, so neither their shape nor the number of threads can change a bit. What is left out is exact as well: a
zero times a finite number adds nothing to a sum that started from +0.0.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product as combinations

import numpy as np
from numpy.typing import NDArray

from attnspec.numeric.matrix_product import ordered_product, transpose
from attnspec.numeric.plain_form import is_plain

FloatArray = NDArray[np.float64]
Wanted = NDArray[np.bool_]
"""[M, N]: the elements that somebody reads; the others may stay +0.0."""

_ROWS, _COLUMNS = 128, 512  # of a tile, which stays in a core's cache with a second one for the products
_CELLS = 2**16  # of a tile at most; several small matrices share one
_THIN = 2**13  # cells that a tile of few rows has all the same, lest calls cost more than their work
_DEPTH = 256  # terms whose factors are copied at a time, where they are not contiguous
_SMALL = 2**17  # multiplications below which tiles cost more than they save
_FEW = 4  # terms, below which there is nothing to keep in a cache
_WORTH_A_LOOK = 16  # rows and columns from which looking for zeros costs little beside the products
_SHARED = 2**22  # multiplications from which a second thread pays
_THREADS = min(2, os.cpu_count() or 1)  # the interpreter's lock leaves nothing to do for a third


def product(left: FloatArray, right: FloatArray, wanted: Wanted | None = None) -> FloatArray:
    """Multiply matrices over the last two axes, with the bits of `ordered_product`.

    Args:
        left: [..., M, K].
        right: [..., K, N], with the same leading axes.
        wanted: [M, N], the elements that are needed; all of them where it is left out.

    Returns:
        [..., M, N].

    Source:
        matrix_product.1 to matrix_product.4, arithmetic.1
    """
    (rows, inner), columns = left.shape[-2:], right.shape[-1]
    if is_plain() or inner < _FEW or left.size * columns <= _SMALL:
        return ordered_product(left, right)
    if columns < min(rows, _COLUMNS):  # loops run along the columns: let these be the longer side
        return transpose(product(transpose(right), transpose(left), None if wanted is None else wanted.T))
    result = np.zeros((*left.shape[:-1], columns))
    count = math.prod(left.shape[:-2])  # not -1, which no empty leading axis lets NumPy find
    one, other, to = (array.reshape(count, *array.shape[-2:]) for array in (left, right, result))
    tiles = list(_tiles(one, other, to, wanted))
    if len(tiles) > 1 and left.size * columns >= _SHARED:
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(_Tile.fill, reversed(tiles)))  # the last ones have most to do under a causal mask
    else:
        for tile in tiles:
            tile.fill()
    return result


@dataclass(frozen=True)
class _Tile:
    """A part of some results, with the rows of the left and the columns of the right factors that it is made of.

    Args:
        left: [b, r, K].
        right: [b, K, c].
        result: [b, r, c].
        may_skip: whether zeros may be looked for: every factor is finite, so that they make zeros.
    """

    left: FloatArray
    right: FloatArray
    result: FloatArray
    may_skip: bool

    def fill(self) -> None:
        """Add up the terms in their order; the small buffer keeps NumPy from copying what it broadcasts."""
        total, term = np.zeros(self.result.shape), np.empty(self.result.shape)
        terms = self._terms()
        before = np.setbufsize(64)
        try:
            with np.errstate(all="ignore"):  # a thread has its own
                for start in range(terms.start, terms.stop, _DEPTH):
                    left, right = self._part(slice(start, min(start + _DEPTH, terms.stop)))
                    for columns, rows in zip(left, right, strict=True):
                        np.multiply(columns[:, :, None], rows[:, None, :], out=term)
                        np.add(total, term, out=total)
        finally:
            np.setbufsize(before)
        self.result[...] = total

    def _terms(self) -> range:
        """Return the inner indices outside of which every product is zero."""
        if not self.may_skip:
            return range(self.left.shape[-1])
        used = np.flatnonzero(self.left.any(axis=(0, 1)) & self.right.any(axis=(0, 2)))
        return range(int(used[0]), int(used[-1]) + 1) if used.size else range(0)

    def _part(self, inner: slice) -> tuple[FloatArray, FloatArray]:
        """Return some columns of the left and rows of the right factors, by inner index, each contiguous."""
        left, right = np.moveaxis(self.left[:, :, inner], -1, 0), np.moveaxis(self.right[:, inner], 1, 0)
        has_rows = right.strides[-1] == right.itemsize
        return np.ascontiguousarray(left), right if has_rows else np.ascontiguousarray(right)


def _tiles(left: FloatArray, right: FloatArray, result: FloatArray, wanted: Wanted | None) -> Iterator[_Tile]:
    """Cut [B, M, N] results into tiles of some rows and columns, and of as many matrices as there is room for."""
    count, rows, columns = result.shape
    is_worth_it = min(rows, columns) >= _WORTH_A_LOOK
    may_skip = is_worth_it and bool(np.isfinite(left).all() and np.isfinite(right).all())
    height = min(_ROWS, rows)
    width = min(max(_COLUMNS, _THIN // height), columns)
    matrices = max(1, _CELLS // (height * width))
    for first, top, start in combinations(range(0, count, matrices), range(0, rows, height), range(0, columns, width)):
        some, high, wide = slice(first, first + matrices), slice(top, top + height), slice(start, start + width)
        if wanted is None or wanted[high, wide].any():
            yield _Tile(left[some, high], right[some, :, wide], result[some, high, wide], may_skip)
