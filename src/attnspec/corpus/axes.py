"""Pieces of tensors by the names of their axes: tokens, batch elements, index prefixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from attnspec.corpus.request import Answered, Array, Request, Value
from attnspec.corpus.vocabulary import OPERATIONS, Kind, Operation

TOKENS = "T"
BATCH = "B"
LEADING = "..."


def kind_of(operation: Operation, name: str) -> Kind:
    """Return the kind of an output, or of `gradients.<input>`, which is its input's."""
    gradient_of = name.removeprefix("gradients.")
    return operation.outputs[name] if gradient_of == name else operation.inputs[gradient_of]


def piece_of(answer: Answered, name: str) -> Array:
    """Return an output, or the gradient named `gradients.<input>`, of an answer."""
    gradient_of = name.removeprefix("gradients.")
    value = answer.outputs[name] if gradient_of == name else answer.gradients[gradient_of]
    assert isinstance(value, np.ndarray)  # lint: laws speak of tensors
    return value


def axes_named(kind: Kind, rank: int, size: str) -> tuple[int, ...]:
    """Return the positions of the axes with a name; the batch of a kind with leading axes is the first of them."""
    sizes = kind.sizes or ()
    if LEADING in sizes:
        leading = rank - (len(sizes) - 1)
        expanded = [BATCH, *[LEADING] * (leading - 1)] if leading else []
        sizes = (*expanded, *sizes[1:])
    return tuple(axis for axis, name in enumerate(sizes) if name == size)


def select(array: Array, kind: Kind, size: str, wanted: slice) -> Array:
    """Cut every axis with this name; a tensor without such an axis stays whole."""
    cut = [slice(None)] * array.ndim
    for axis in axes_named(kind, array.ndim, size):
        cut[axis] = wanted
    return array[tuple(cut)]


def select_request(request: Request, size: str, wanted: slice) -> Request:
    """Cut every input and upstream along the axes with this name."""
    operation = OPERATIONS[request.operation]
    return replace(
        request,
        inputs={name: _cut(value, operation.inputs[name], size, wanted) for name, value in request.inputs.items()},
        upstream={
            name: select(array, operation.outputs[name], size, wanted) for name, array in request.upstream.items()
        },
    )


def length_of(request: Request, size: str) -> int:
    """Return how long the axes with this name are in the request's inputs."""
    for name, kind in OPERATIONS[request.operation].inputs.items():
        value = request.inputs[name]
        if isinstance(value, np.ndarray) and (axes := axes_named(kind, value.ndim, size)):
            return int(value.shape[axes[0]])
    raise KeyError(size)


def replaced(request: Request, replacements: Mapping[str, tuple[tuple[int, ...], Array]]) -> Request:
    """Return the request with pieces of inputs, at index prefixes, put in place of what stood there."""
    inputs = dict(request.inputs)
    for name, (at, values) in replacements.items():
        array = np.array(inputs[name])
        array[at] = values
        inputs[name] = array
    return replace(request, inputs=inputs)


def _cut(value: Value, kind: Kind, size: str, wanted: slice) -> Value:
    return select(value, kind, size, wanted) if isinstance(value, np.ndarray) else value
