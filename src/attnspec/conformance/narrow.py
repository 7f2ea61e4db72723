"""Other types than float64: what is asked is rounded to the type first, and the truth is that of the rounded inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from attnspec.conformance.target import Target
from attnspec.corpus.request import Answered, Array, Reply, Request, Skipped, Value
from attnspec.numeric.formats import FloatFormat

DEFINED_IN_FLOAT64 = ("splitmix64", "xavier_uniform", "qkv_initialization", "gradient_check")


class LeavesRange(Exception):
    """A finite input that the type has no finite number for; the text says which."""


class NarrowTarget:
    """Asks a target in another type, and answers in float64.

    Args:
        target: takes the type.
        form: the type.
    """

    def __init__(self, target: Target, form: FloatFormat) -> None:
        self._target = target
        self._form = form
        self.declaration = target.declaration

    def answer(self, request: Request) -> Reply:
        """Round, ask, and widen what comes back; a tensor of another type is a fault of the answer."""
        if request.operation in DEFINED_IN_FLOAT64:
            return Skipped(f"{request.operation} is defined in float64")
        try:
            rounded = rounded_request(request, self._form)
        except LeavesRange as out:
            return Skipped(str(out))
        reply = self._target.answer(_mapped(rounded, lambda array: _cast(array, self._form.dtype)))
        if not isinstance(reply, Answered):
            return reply
        told = any(isinstance(value, np.ndarray) for value in request.inputs.values())
        wrong = _wrong_types(reply, self._form) if told else ()  # a number of tokens tells no type
        return replace(_widened(reply), faults=(*reply.faults, *wrong))


def _wrong_types(answer: Answered, form: FloatFormat) -> tuple[str, ...]:
    return tuple(
        f"{name} is {value.dtype.name}, expected {form.name}"
        for values in (answer.outputs, answer.gradients)
        for name, value in values.items()
        if isinstance(value, np.ndarray) and value.dtype.kind != "u" and value.dtype != form.dtype
    )


def _widened(answer: Answered) -> Answered:
    return replace(
        answer,
        outputs={name: _wide(value) for name, value in answer.outputs.items()},
        gradients={name: _cast(array, np.dtype(np.float64)) for name, array in answer.gradients.items()},
    )


def rounded_request(request: Request, form: FloatFormat) -> Request:
    """Return the request with every float64 tensor rounded to a type, and kept in float64.

    Raises:
        LeavesRange: a finite element has no finite neighbour in the type.
    """
    if form.name == "float64":
        return request
    for name, value in {**request.inputs, **request.upstream}.items():
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            lost = np.isfinite(value) & ~np.isfinite(rounded_to(form, value))
            if lost.any():
                index = tuple(map(int, np.argwhere(lost)[0]))
                raise LeavesRange(f"{name}{list(index)} = {float(value[index])!r} is beyond {form.name}")
    return _mapped(request, partial(rounded_to, form))


def rounded_to(form: FloatFormat, values: Array) -> Array:
    """Return the nearest numbers of a type, ties to even, kept in float64; what is too large becomes infinite."""
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(values)  # |x| is in [2^(e-1), 2^e)
        quantum = np.ldexp(1.0, np.maximum(exponent, 2 - form.most) - form.precision)
        rounded = np.where(np.isfinite(values), np.rint(values / quantum) * quantum, values)
        return np.where(np.abs(rounded) > form.largest, np.copysign(np.inf, values), rounded)


def _mapped(request: Request, change: Callable[[Array], Array]) -> Request:
    def changed(value: Value) -> Value:
        is_float = isinstance(value, np.ndarray) and value.dtype == np.float64
        return change(value) if is_float else value  # type: ignore[arg-type]

    upstream: Mapping[str, Array] = {name: change(array) for name, array in request.upstream.items()}
    return replace(request, inputs={name: changed(value) for name, value in request.inputs.items()}, upstream=upstream)


def _wide(value: Value) -> Value:
    is_float = isinstance(value, np.ndarray) and value.dtype.kind != "u"
    return _cast(value, np.dtype(np.float64)) if is_float else value  # type: ignore[arg-type]


def _cast(array: Array, dtype: np.dtype[Any]) -> Array:
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN like any other
        return array.astype(dtype)
