"""The operations below attention: ordered sums, products, the exponential, draws, the comparison of gradients."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Context, Decimal

from plain.arrays import Array, Matrix, Row, Upstream, Value, from_matrices, started

WORD = 2**64 - 1

# Sums and products (arithmetic)


def total(terms: Iterable[float]) -> float:
    """The terms added one after the other, from +0.0."""
    result = 0.0
    for term in terms:
        result = result + term
    return result


def dot(left: Row, right: Row) -> float:
    return total(a * b for a, b in zip(left, right, strict=True))


def product(left: Matrix, right: Matrix, columns: int) -> Matrix:
    """left · right, summed over the rows of right."""
    return [[dot(row, [other[n] for other in right]) for n in range(columns)] for row in left]


def product_with_transpose(left: Matrix, right: Matrix) -> Matrix:
    """left · rightᵀ, summed over the columns of both."""
    return [[dot(row, other) for other in right] for row in left]


def transpose_times(left: Matrix, right: Matrix, rows: int, columns: int) -> Matrix:
    """leftᵀ · right, summed over the rows of both."""
    return [[total(a[m] * b[n] for a, b in zip(left, right, strict=True)) for n in range(columns)] for m in range(rows)]


def matrix_product(left: Array, right: Array) -> dict[str, Value]:
    shape = left.shape[:-1] + right.shape[-1:]
    pairs = zip(left.matrices(), right.matrices(), strict=True)
    return {"product": from_matrices(shape, (product(a, b, right.shape[-1]) for a, b in pairs))}


def matrix_product_vjp(left: Array, right: Array, upstream: Upstream) -> dict[str, Array]:
    gradient = started(upstream, "product", left.shape[:-1] + right.shape[-1:]).matrices()
    triples = list(zip(left.matrices(), right.matrices(), gradient, strict=True))
    return {
        "left": from_matrices(left.shape, (product_with_transpose(g, b) for _, b, g in triples)),
        "right": from_matrices(right.shape, (transpose_times(a, g, *right.shape[-2:]) for a, _, g in triples)),
    }


# The exponential


def exp(x: float) -> float:
    """exp(x) rounded once: decimals on both sides of it are refined until they name one binary64 number."""
    if math.isnan(x):
        return math.nan
    if x > 710.0:
        return math.inf
    if x < -746.0:
        return 0.0
    digits = 40
    while True:
        context = Context(prec=digits)
        near = Decimal(x).exp(context)  # within half a unit of its last digit
        low, high = float(near.next_minus(context)), float(near.next_plus(context))
        if low == high:
            return low
        digits += 40


def exponential(x: Array) -> dict[str, Value]:
    return {"y": Array(x.shape, [exp(cell) for cell in x.cells])}


# Draws


def draw(state: int) -> tuple[int, int]:
    """The next draw and the state after it."""
    state = (state + 0x9E3779B97F4A7C15) & WORD
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD
    return mixed ^ (mixed >> 31), state


def unit(word: int) -> float:
    """The high 53 bits as a number in [0, 1)."""
    return float(word >> 11) * 2.0**-53


def xavier(state: int, fan_in: int, fan_out: int) -> tuple[Array, int]:
    limit = math.sqrt(6.0 / float(fan_in + fan_out))
    cells: list[float] = []
    for _ in range(fan_in * fan_out):
        word, state = draw(state)
        cells.append(limit * (2.0 * unit(word) - 1.0))
    return Array((fan_in, fan_out), cells), state


def splitmix64(seed: int, count: int) -> dict[str, Value]:
    words: list[float] = []
    for _ in range(count):
        word, seed = draw(seed)
        words.append(word)
    return {"draws": Array((count,), words, whole=True), "state": seed}


def xavier_uniform(seed: int, fan_in: int, fan_out: int) -> dict[str, Value]:
    weight, state = xavier(seed, fan_in, fan_out)
    return {"weight": weight, "state": state}


# The comparison of gradients


def gradient_check(analytic: Array, numeric: Array, tolerance: Array) -> dict[str, Value]:
    differences: list[float] = []
    for a, n in zip(analytic.cells, numeric.cells, strict=True):
        size = max(1.0, abs(a), abs(n))
        differences.append(abs(a / size - n / size))
    within = all(difference <= tolerance.cells[0] for difference in differences)
    return {"scaled_difference": Array(analytic.shape, differences), "within": within}
