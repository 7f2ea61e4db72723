"""A module, object or file with a function per operation, as a target (conformance).

Functions take keyword arguments named as in the vocabulary, NumPy arrays in, and return a mapping by
output name, or the value itself where one output is required. `<operation>_vjp` returns gradients.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attnspec.conformance.layout import insert, take_out
from attnspec.conformance.target import Declaration, TargetFault
from attnspec.corpus.request import Answered, Errored, Refused, Reply, Request, Skipped, Value
from attnspec.corpus.shapes import output_shapes
from attnspec.corpus.vocabulary import OPERATIONS, Kind, Operation
from attnspec.errors import SpecificationError
from attnspec.numeric.formats import FORMATS

FORBIDDEN_REFUSALS = (Exception, BaseException, TypeError, AttributeError)


class PythonTarget:
    """Asks functions of a module or object.

    Args:
        subject: has a function per operation that it implements.
        name: what reports call it.

    Raises:
        TargetFault: it implements nothing, or its REFUSALS would hide its own defects.
    """

    def __init__(self, subject: object, name: str) -> None:
        self._subject = subject
        self._refusals = _refusals(subject, name)
        operations = tuple(operation for operation in OPERATIONS if callable(getattr(subject, operation, None)))
        if not operations:
            raise TargetFault(f"{name}: no function named after an operation, such as causal_attention")
        self.declaration = Declaration(
            getattr(subject, "NAME", name),
            str(getattr(subject, "VERSION", "")),
            operations,
            tuple(getattr(subject, "DTYPES", ("float64",))),
            getattr(subject, "ACCUMULATES", ""),
            getattr(subject, "EXP_ULPS", 2.0),
            getattr(subject, "LAYOUT", "BTD"),
        )

    def answer(self, request: Request) -> Reply:
        """Call the operation's function and, where the request names an upstream, its `_vjp`."""
        operation = OPERATIONS[request.operation]
        if operation.name not in self.declaration.operations:
            return Skipped(f"no {operation.name}")
        function = getattr(self._subject, operation.name)
        if request.released:
            return Skipped("no tape")
        given = {name: _copy(value) for name, value in request.inputs.items()}
        try:
            backward = self._gradients(request, operation)  # first, as a refusal may come from an upstream
            outputs = _named(function(**given), operation.required, operation.outputs)
            return replace(backward, outputs=outputs, faults=(*_written(given, request.inputs), *backward.faults))
        except _Malformed as fault:
            return Errored(str(fault))
        except Exception as error:
            return self._refusal(error, operation.name)

    def _gradients(self, request: Request, operation: Operation) -> Answered:
        """Return the gradients alone, or why there are none."""
        if not request.upstream:
            return Answered({})
        function = getattr(self._subject, f"{operation.name}_vjp", None)
        if function is None:
            return Answered({}, no_gradients=f"no {operation.name}_vjp")
        accepted, required = _parameters(function)
        lacking = [f"{name}_upstream" for name in request.upstream if f"{name}_upstream" not in accepted]
        if lacking and "**" not in accepted:
            return Answered({}, no_gradients=f"needs {', '.join(lacking)}")
        given = {name: _copy(value) for name, value in request.inputs.items()}
        sent = {f"{name}_upstream": _copy(array) for name, array in request.upstream.items()}
        for name in operation.upstreams:
            if f"{name}_upstream" in required and name not in request.upstream:
                sent[f"{name}_upstream"] = self._zeros(name, request, operation)
        kinds = {name: operation.inputs[name] for name in operation.gradients}
        gradients = _named(function(**given, **sent), operation.gradients, kinds)
        named = {f"{name}_upstream": array for name, array in request.upstream.items()}
        faults = _written(given | sent, {**request.inputs, **named})
        return Answered({}, gradients, faults=faults)  # type: ignore[arg-type]

    def _zeros(self, output: str, request: Request, operation: Operation) -> Value:
        """Return an upstream that adds nothing, in the type and layout of the request."""
        layout = self.declaration.layout
        inputs = take_out(request.inputs, operation.name, layout)
        dtype = next(value.dtype for value in inputs.values() if isinstance(value, np.ndarray))
        zeros = np.zeros(output_shapes(operation, inputs)[output], dtype)
        return insert(zeros, operation.name, output, layout)

    def _refusal(self, error: Exception, operation: str) -> Reply:
        message = f"{type(error).__name__}: {error}"
        code = getattr(error, "code", None)
        if isinstance(code, str):
            details = getattr(error, "details", {})
            return Refused(code, details if isinstance(details, Mapping) else {}, message)
        if isinstance(error, MemoryError):
            return Refused("mask_memory", {}, message)
        if isinstance(error, self._refusals):
            name_code: Callable[[Exception, str], str | None] | None = getattr(self._subject, "error_code", None)
            return Refused(name_code(error, operation) if name_code else None, {}, message)
        return Errored(message)


class _Malformed(Exception):
    """A function that returned what cannot be an answer."""


def _refusals(subject: object, name: str) -> tuple[type[Exception], ...]:
    refusals = getattr(subject, "REFUSALS", (ValueError,))
    for kind in refusals:
        if kind in FORBIDDEN_REFUSALS:
            raise TargetFault(f"{name}: REFUSALS holds {kind.__name__}, which would hide its own defects")
    return (*refusals, SpecificationError)


def _copy(value: Value) -> Value:
    return np.array(value) if isinstance(value, np.ndarray) else value


def _written(given: Mapping[str, Value], original: Mapping[str, Value]) -> tuple[str, ...]:
    """Return a fault for each array that the target wrote into."""
    return tuple(
        f"wrote into {name}"
        for name, value in original.items()
        if isinstance(value, np.ndarray) and _bytes(given[name]) != value.tobytes()
    )


def _bytes(value: Value) -> bytes:
    assert isinstance(value, np.ndarray)
    return value.tobytes()


def _named(returned: object, required: tuple[str, ...], kinds: Mapping[str, Kind]) -> dict[str, Value]:
    """Return outputs by name; a bare value stands for the one required output."""
    if not isinstance(returned, Mapping):
        if len(required) != 1:
            raise _Malformed(f"returned {type(returned).__name__}; expected a mapping with {', '.join(required)}")
        returned = {required[0]: returned}
    return {name: _plain(name, returned[name], kind) for name, kind in kinds.items() if returned.get(name) is not None}


def _plain(name: str, value: Any, kind: Kind) -> Value:
    """Return a value of the kind that the vocabulary asks for; tensors keep the type that the target chose."""
    try:
        if kind.is_tensor:
            array = np.asarray(value)
            if array.dtype.kind == "u" or array.dtype.name in FORMATS:
                return array
        elif kind.element == "names" and all(isinstance(item, str) for item in value):
            return tuple(value)
        elif kind.element == "integer" and not isinstance(value, bool | np.bool_):
            return operator.index(value)
        elif kind.element == "boolean" and isinstance(value, bool | np.bool_):
            return bool(value)
    except (TypeError, ValueError):
        pass
    raise _Malformed(f"{name} is {value!r:.60} ({type(value).__name__}); expected {kind}")


def _parameters(function: Callable[..., object]) -> tuple[set[str], set[str]]:
    """Return the names that a function takes (`**` for any), and those without a default."""
    parameters = inspect.signature(function).parameters.values()
    accepted = {"**" if one.kind is one.VAR_KEYWORD else one.name for one in parameters}
    required = {one.name for one in parameters if one.default is one.empty and one.kind is not one.VAR_KEYWORD}
    return accepted, required
