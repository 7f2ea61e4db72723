"""Where two values differ, said so that a person can act on it: tensor, index, both values, ulps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnspec.corpus.request import Array, Value
from attnspec.numeric.binary64 import equal_bits, ulp_distance
from attnspec.numeric.formats import FORMATS, FloatFormat


@dataclass(frozen=True)
class Mismatch:
    """One place where a value is not what it should be.

    Args:
        tensor: the output, gradient or loss.
        index: where in it; empty for a value that is no tensor.
        expected: what was asked for.
        got: what came.
        ulps: the distance of two floats in steps of the type that was asked for.
        remark: what the two were compared for, or how many other elements differ.
        bound: how far apart they may be, where that was asked.
        share: how many times the bound they are apart; none where the bound is 0 or the distance no number.
    """

    tensor: str
    index: tuple[int, ...]
    expected: str
    got: str
    ulps: int | None = None
    remark: str = ""
    bound: float | None = None
    share: float | None = None

    def __str__(self) -> str:
        place = f"{self.tensor}[{', '.join(map(str, self.index))}]" if self.index else self.tensor
        distance = "" if self.ulps is None else f", {self.ulps:,} ulp{'s' if self.ulps != 1 else ''} apart"
        remark = f" ({self.remark})" if self.remark else ""
        return f"{place}: expected {self.expected}, got {self.got}{distance}{self._excess()}{remark}"

    def _excess(self) -> str:
        if self.bound is None:
            return ""
        bound = "0" if self.bound == 0.0 else f"{self.bound:.3g}"
        return f", its bound is {bound}" if self.share is None else f", {self.share:.3g} times its bound of {bound}"


Agree = Callable[[Any, Any], bool]
"""Whether two elements, NumPy scalars, are equal enough."""


def compare_bits(name: str, expected: Value, got: Value) -> list[Mismatch]:
    """Return where two values differ in any bit; the first elements only, with a count of the rest."""
    if isinstance(expected, np.ndarray) and isinstance(got, np.ndarray):
        return [] if equal_bits(expected, got) else _first(name, expected, got, _other_bits)
    if type(expected) is type(got) and expected == got:
        return []
    return [Mismatch(name, (), _shown(expected), _shown(got))]


def compare_elements(name: str, expected: Array, got: Value, agree: Agree, remark: str = "") -> list[Mismatch]:
    """Return the first elements of two tensors that do not agree, and say how many more there are."""

    def differing(left: Array, right: Array) -> NDArray[np.bool_]:
        pairs = zip(left.reshape(-1), right.reshape(-1), strict=True)
        return np.array([not agree(one, other) for one, other in pairs], dtype=np.bool_)

    return _first(name, expected, got, differing, remark)


def _first(
    name: str, expected: Array, got: Value, differing: Callable[[Array, Array], NDArray[np.bool_]], remark: str = ""
) -> list[Mismatch]:
    """Return the first element that differs; `differing` says which do, in row-major order."""
    if not isinstance(got, np.ndarray):
        return [Mismatch(name, (), _shown(expected), _shown(got))]
    if expected.shape != got.shape:
        return [Mismatch(name, (), f"shape {list(expected.shape)}", f"shape {list(got.shape)}")]
    if expected.dtype != got.dtype:
        return [Mismatch(name, (), f"dtype {expected.dtype}", f"dtype {got.dtype}")]
    found = np.flatnonzero(differing(expected, got))
    if not found.size:
        return []
    more = f"and {found.size - 1:,} more of {expected.size:,}" if found.size > 1 else ""
    index = tuple(map(int, np.unravel_index(int(found[0]), expected.shape)))
    return [_element(name, index, expected, got, "; ".join(filter(None, (remark, more))))]


def _other_bits(expected: Array, got: Array) -> NDArray[np.bool_]:
    """Return which elements have not the same bits, without a look at each by itself: there may be millions."""
    size = expected.dtype.itemsize
    left, right = (np.frombuffer(array.tobytes(), np.uint8).reshape(-1, size) for array in (expected, got))
    return np.asarray((left != right).any(axis=-1))


def _element(name: str, index: tuple[int, ...], expected: Array, got: Array, remark: str) -> Mismatch:
    left, right = expected[index].item(), got[index].item()
    ulps = steps_between(left, right) if isinstance(left, float) else None
    return Mismatch(name, index, repr(left), repr(right), ulps, remark)


def steps_between(left: float, right: float, form: FloatFormat = FORMATS["float64"]) -> int | None:
    """Return how many numbers of a type two are apart, each rounded to it; None where one is a NaN, on no line."""
    if left != left or right != right:
        return None
    if form.name == "float64":
        return ulp_distance(left, right)
    return abs(_rank(left, form) - _rank(right, form))


def _shown(value: Value) -> str:
    return f"a tensor of shape {list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)


def _rank(value: float, form: FloatFormat) -> int:
    """Return how many numbers of a type lie between zero and a value, with its sign; infinity follows the largest."""
    size, beyond = abs(value), math.ldexp(1.0, form.most + 1)
    exponent = max(math.frexp(min(size, beyond))[1], 2 - form.most) if size else 2 - form.most
    steps = round(math.ldexp(min(size, beyond), form.precision - exponent))
    rank = ((exponent + form.most - 2) << (form.precision - 1)) + steps
    return rank if value >= 0.0 else -rank
