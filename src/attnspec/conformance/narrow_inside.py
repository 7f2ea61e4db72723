"""Say of a wrong answer that it is off as if it had been computed in float32 inside (conformance)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attnspec.conformance.error_bounds import error_bounds
from attnspec.conformance.rounding import FloatArray, rounding_of
from attnspec.corpus.request import Answered, Array, Request

FLOAT32_INSIDE = "within the error bounds of float32: it seems to be computed in float32 inside"


def is_float32_inside(request: Request, truth: Answered, answer: Answered) -> bool:
    """Say whether every tensor of a float64 answer keeps the error bounds of float32, which few other bugs do.

    Args:
        request: what was asked.
        truth: its truth.
        answer: beyond a bound of float64.
    """
    bounds = error_bounds(request, truth, rounding_of("float32"))
    exact = np.zeros(())  # for what has no rounding errors, such as a mask
    return all(_is_within(value, got, bounds.get(name, exact)) for name, value, got in _pairs(truth, answer))


def _pairs(truth: Answered, answer: Answered) -> Iterator[tuple[str, Array, Array]]:
    """Yield the tensors that can be compared."""
    for prefix, values, given in (
        ("", truth.outputs, answer.outputs),
        ("gradients.", truth.gradients, answer.gradients),
    ):
        for name, value in values.items():
            got = given.get(name)
            if isinstance(value, np.ndarray) and isinstance(got, np.ndarray):
                yield prefix + name, value, got


def _is_within(truth: Array, got: Array, bound: FloatArray) -> bool:
    if got.shape != truth.shape:
        return False
    with np.errstate(all="ignore"):
        return bool(((np.abs(got - truth) <= bound) & np.isfinite(bound) | (got == truth)).all())
