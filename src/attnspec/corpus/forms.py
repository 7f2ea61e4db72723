"""The forms that values take in a fixture: names, indices, numbers, formulas (fixture_format)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    PlainValidator,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from typing_extensions import TypeAliasType

from attnspec.corpus import numbers, tensors
from attnspec.corpus.nodes import ListNode, MappingNode, Node, ScalarNode, Steps
from attnspec.corpus.request import Array
from attnspec.corpus.request import Value as AnyValue

LARGEST = 1 << 24  # elements of a tensor written by formula

Numbers = TypeAliasType("Numbers", "list[Numbers] | float | str")
"""Nested lists for JSON Schema; `tensors.tensor` reads them."""


class Closed(BaseModel):
    """A mapping with these keys and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)


Text = Annotated[str, PlainValidator(numbers.text, json_schema_input_type=str)]
Integer = Annotated[int, PlainValidator(numbers.integer, json_schema_input_type=int | str)]
Word = Annotated[int, PlainValidator(numbers.word, json_schema_input_type=int | str)]
Count = Annotated[int, PlainValidator(numbers.count, json_schema_input_type=int)]
Number = Annotated[float, PlainValidator(numbers.number, json_schema_input_type=float | str)]
Names = Annotated[tuple[str, ...], PlainValidator(numbers.names, json_schema_input_type=list[str])]


def _finite(value: float) -> float:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{value} is no distance; a finite number from 0 on is expected")
    return value


def _distance(node: Node) -> float:
    return _finite(numbers.number(node))


Distance = Annotated[float, PlainValidator(_distance, json_schema_input_type=float)]


def _counts(node: Node) -> tuple[int, ...]:
    if not isinstance(node, ListNode):
        raise ValueError("a list of indices or sizes is expected, such as [0, 2]")
    faults: list[tuple[Steps, str]] = []
    result = []
    for index, item in enumerate(node):
        try:
            result.append(numbers.count(item))
        except ValueError as error:
            faults.append(((index,), str(error)))
    if faults:
        raise numbers.ValueFaults(faults)
    return tuple(result)


Counts = Annotated[tuple[int, ...], PlainValidator(_counts, json_schema_input_type=list[int])]
"""An index prefix (`[]` is the whole tensor) or a shape."""

READERS: dict[str, Callable[[Node], AnyValue]] = {
    "float64": tensors.tensor,
    "uint64": tensors.tensor,
    "integer": numbers.integer,
    "boolean": numbers.boolean,
    "names": numbers.names,
    "text": numbers.text,
}


def _value(node: Node) -> AnyValue:
    if isinstance(node, MappingNode):
        raise ValueError("a mapping where a value is expected")
    return READERS[node.element](node)


Tensor = Annotated[Array, PlainValidator(tensors.tensor, json_schema_input_type=Numbers)]
Value = Annotated[AnyValue, PlainValidator(_value, json_schema_input_type=Numbers | bool)]


def listed(node: Any) -> Any:
    """One name stands for a list of it."""
    return [node] if isinstance(node, ScalarNode) else node


OneOrMore = Annotated[tuple[Text, ...], BeforeValidator(listed, json_schema_input_type=str | list[str])]


class Draws(Closed):
    """One draw of the generator per element, row-major: low + (high - low) * u."""

    seed: Word
    shape: Counts
    low: Number
    high: Number

    @field_validator("shape")
    @classmethod
    def _not_too_large(cls, shape: tuple[int, ...]) -> tuple[int, ...]:
        if math.prod(shape) > LARGEST:
            raise ValueError(f"{math.prod(shape)} elements, of {LARGEST} at most")
        return shape

    @field_validator("high")
    @classmethod
    def _finite_range(cls, high: float, info: ValidationInfo) -> float:
        if not math.isfinite(high - info.data.get("low", 0.0)):
            raise ValueError("low and high must be finite, and their difference too")
        return high

    def array(self) -> Array:
        from attnspec.numeric.splitmix64 import units

        return self.low + (self.high - self.low) * units(self.seed, math.prod(self.shape)).reshape(self.shape)


def inside(at: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether `at` is an index prefix of a shape."""
    return len(at) <= len(shape) and all(index < size for index, size in zip(at, shape, strict=False))


class Placed(Closed):
    at: Counts
    value: Number


class Formula(Closed):
    """A tensor by formula, with single elements written over it."""

    splitmix64: Draws
    scatter: tuple[Placed, ...] = ()

    @field_validator("scatter")
    @classmethod
    def _inside(cls, scatter: tuple[Placed, ...], info: ValidationInfo) -> tuple[Placed, ...]:
        if "splitmix64" not in info.data:  # faulty itself
            return scatter
        shape = info.data["splitmix64"].shape
        faults: list[tuple[Steps, str]] = [
            ((index, "at"), f"{list(placed.at)} is no element of shape {list(shape)}")
            for index, placed in enumerate(scatter)
            if len(placed.at) != len(shape) or not inside(placed.at, shape)
        ]
        if faults:
            raise numbers.ValueFaults(faults)
        return scatter

    def array(self) -> Array:
        array = self.splitmix64.array()
        for placed in self.scatter:
            array[placed.at] = placed.value
        return tensors.read_only(array)


class Empty(Closed):
    """A tensor without elements."""

    shape: Counts

    @model_validator(mode="after")
    def _no_elements(self) -> Empty:
        if 0 not in self.shape:
            message = f"shape {list(self.shape)} has elements: write them; a shape alone is for a tensor without any"
            raise numbers.ValueFaults([(("shape",), message)])
        return self

    def array(self) -> Array:
        return tensors.read_only(np.empty(self.shape))


def _input_form(node: Any) -> str:
    keys = node if isinstance(node, MappingNode) else ()
    return "<formula>" if "splitmix64" in keys else "<empty>" if "shape" in keys else "<values>"


Input = Annotated[
    Annotated[Formula, Tag("<formula>")] | Annotated[Empty, Tag("<empty>")] | Annotated[Value, Tag("<values>")],
    Discriminator(_input_form),
]
