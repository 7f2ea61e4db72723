"""Targets whose tensors have an axis for heads: one head is put in on the way there, and taken out on the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from attnspec.conformance.target import Target
from attnspec.corpus.request import Answered, Reply, Request, Value
from attnspec.corpus.vocabulary import OPERATIONS, Kind

_WITH_HEADS = ("scaled_scores", "attention", "causal_attention")
_FROM_THE_END = {"BHTD": 2, "BTHD": 1}
AnyValue = TypeVar("AnyValue", bound=Value)


class WithHeadAxis:
    """Gives a target its head axis, and answers in the corpus's layout.

    Args:
        target: its declaration names the layout.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self.declaration = target.declaration

    def answer(self, request: Request) -> Reply:
        """Ask with one head; a tensor that comes back without an axis of one head is a fault of the answer."""
        layout, operation = self.declaration.layout, request.operation
        reply = self._target.answer(put_in(request, layout))
        if not isinstance(reply, Answered):
            return reply
        return replace(
            reply,
            outputs=take_out(reply.outputs, operation, layout),
            gradients=take_out(reply.gradients, operation, layout),
            faults=(
                *reply.faults,
                *_headless(reply.outputs, operation, layout),
                *_headless(reply.gradients, operation, layout),
            ),
        )


def put_in(request: Request, layout: str) -> Request:
    """Return the request in this layout; a tensor of a wrong rank has the same rank too many or too few there."""
    return replace(
        request,
        inputs={name: insert(value, request.operation, name, layout) for name, value in request.inputs.items()},
        upstream={name: insert(array, request.operation, name, layout) for name, array in request.upstream.items()},
    )


def insert(value: AnyValue, operation: str, name: str, layout: str) -> AnyValue:
    """Put a head axis of length one into a tensor that has one in this layout."""
    from_end = _from_the_end(operation, name, layout)
    if not from_end or not isinstance(value, np.ndarray):
        return value
    return np.expand_dims(value, max(value.ndim - from_end, 0))  # type: ignore[return-value]


def take_out(values: Mapping[str, AnyValue], operation: str, layout: str) -> dict[str, AnyValue]:
    """Take the head axis out of the tensors that have one."""
    return {name: _remove(value, _from_the_end(operation, name, layout)) for name, value in values.items()}


def _headless(values: Mapping[str, Value], operation: str, layout: str) -> Iterator[str]:
    """Yield a fault for each tensor that should have an axis of one head and has none."""
    for name, value in values.items():
        from_end = _from_the_end(operation, name, layout)
        if from_end and isinstance(value, np.ndarray) and (value.ndim != 4 or value.shape[3 - from_end] != 1):
            yield f"{name} has the shape {list(value.shape)}; an axis of one head is expected in the layout {layout}"


def _remove(value: AnyValue, from_end: int) -> AnyValue:
    if not from_end or not isinstance(value, np.ndarray) or value.ndim <= from_end:
        return value
    axis = value.ndim - 1 - from_end
    return np.squeeze(value, axis) if value.shape[axis] == 1 else value  # type: ignore[return-value]


def _from_the_end(operation: str, name: str, layout: str) -> int:
    """Return how many axes follow the head axis of an input or output; 0 where it has none."""
    kinds: dict[str, Kind] = OPERATIONS[operation].inputs | OPERATIONS[operation].outputs
    sizes = kinds[name].sizes if name in kinds else None
    if operation not in _WITH_HEADS or layout not in _FROM_THE_END or not sizes or sizes[0] != "B":
        return 0
    return 2 if sizes[-1] == "T" else _FROM_THE_END[layout]  # scores and probabilities are [B, H, T, T] everywhere
