"""Central differences, and their comparison with gradients from elsewhere (gradient_check)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnspec.errors import InvalidStepError, InvalidToleranceError, NonFiniteLeafError, ShapeMismatchError

FloatArray = NDArray[np.float64]


def check_gradient(analytic: FloatArray, numeric: FloatArray, tolerance: float) -> tuple[FloatArray, bool]:
    """Compare two gradients coordinate by coordinate.

    Args:
        analytic: the gradient that a backward pass computed, any shape.
        numeric: the gradient by central differences, the same shape.
        tolerance: the largest scaled difference that is still agreement.

    Returns:
        The scaled differences, and whether each is at most the tolerance.

    Raises:
        ShapeMismatchError: the shapes differ.
        NonFiniteLeafError: a gradient holds an infinity or a NaN; `analytic` is looked at first.
        InvalidToleranceError: the tolerance is negative or not finite.

    Source:
        gradient_check.1 to gradient_check.6
    """
    if numeric.shape != analytic.shape:
        raise ShapeMismatchError(expected=analytic.shape, actual=numeric.shape)
    _check_finite("analytic", analytic)
    _check_finite("numeric", numeric)
    if not (math.isfinite(tolerance) and tolerance >= 0.0):
        raise InvalidToleranceError
    difference = scaled_difference(analytic, numeric)
    return difference, bool((difference <= tolerance).all())


def scaled_difference(analytic: FloatArray, numeric: FloatArray) -> FloatArray:
    """Return |analytic/s - numeric/s| with s = max(1, |analytic|, |numeric|): absolute when small, relative when large.

    Source:
        gradient_check.1
    """
    scale = np.maximum(np.maximum(1.0, np.abs(analytic)), np.abs(numeric))
    return np.asarray(np.abs(analytic / scale - numeric / scale))


def central_differences(function: Callable[[FloatArray], float], point: FloatArray, step: float) -> FloatArray:
    """Return (f(x + h) - f(x - h)) / (2h) for each coordinate of the point, in row-major order.

    Args:
        function: called with a fresh array of the point's shape each time.
        point: where the gradient is wanted; it is not changed.
        step: h.

    Returns:
        One difference quotient per coordinate, in the shape of the point.

    Raises:
        InvalidStepError: the step is not finite and positive.

    Source:
        gradient_check.7, gradient_check.8
    """
    if not (math.isfinite(step) and step > 0.0):
        raise InvalidStepError
    point = np.array(point, dtype=np.float64)  # integers would swallow the step
    quotients = np.empty(point.shape)
    for index in np.ndindex(point.shape):
        ahead, behind = point.copy(), point.copy()
        ahead[index] += step
        behind[index] -= step
        quotients[index] = (function(ahead) - function(behind)) / (2.0 * step)
    return quotients


def _check_finite(name: str, values: FloatArray) -> None:
    flat = values.reshape(-1)
    faults = np.flatnonzero(~np.isfinite(flat))
    if faults.size:
        raise NonFiniteLeafError(tensor=name, index=int(faults[0]), value=float(flat[faults[0]]))
