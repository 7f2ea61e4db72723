"""The forms that values take in a fixture: texts, indices, numbers, nested lists of them (fixture_format)."""

from __future__ import annotations

import math
from collections.abc import Callable

from attnspec.corpus import numbers, tensors
from attnspec.corpus.entries import Choice, Form, Items, Leaf, Schema
from attnspec.corpus.nodes import ListNode, MappingNode, Node
from attnspec.corpus.request import Value

TEXT = Leaf(numbers.text, {"type": "string"})
WORD = Leaf(numbers.word, {"anyOf": [{"type": "integer"}, {"type": "string"}]})
COUNT = Leaf(numbers.count, {"type": "integer"})
NUMBER = Leaf(numbers.number, {"anyOf": [{"type": "number"}, {"type": "string"}]})


def _is_distance(value: float) -> None:
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{value} is no distance; a finite number from 0 on is expected")


def _is_step(value: float) -> None:
    if not 0 < value < math.inf:
        raise ValueError(f"{value} is no step; it must be finite and positive")


DISTANCE = NUMBER.only(_is_distance)
STEP = NUMBER.only(_is_step)


def _counts(node: Node) -> tuple[int, ...]:
    if not isinstance(node, ListNode):
        raise ValueError("a list of indices or sizes is expected, such as [0, 2]")
    return numbers.each(node, numbers.count)


COUNTS = Leaf(_counts, {"items": {"type": "integer"}, "type": "array"})
"""An index prefix (`[]` is the whole tensor) or a shape."""

READERS: dict[str, Callable[[Node], Value]] = {
    "float64": tensors.tensor,
    "uint64": tensors.tensor,
    "integer": numbers.integer,
    "boolean": numbers.boolean,
    "names": numbers.names,
    "text": numbers.text,
}


def _value(node: Node) -> Value:
    if isinstance(node, MappingNode):
        raise ValueError("a mapping where a value is expected")
    return READERS[node.element](node)


_NESTED = {"$ref": "#/$defs/Numbers"}
DEFINITIONS: Schema = {
    "Numbers": {"anyOf": [{"items": _NESTED, "type": "array"}, {"type": "number"}, {"type": "string"}]}
}
"""What JSON Schema can only define by itself."""

TENSOR = Leaf(tensors.tensor, _NESTED)
VALUE = Leaf(_value, {"anyOf": [_NESTED, {"type": "boolean"}]})

_ONE_NAME = Leaf(lambda node: (numbers.text(node),), {"type": "string"})
_NAMES = Items(TEXT)
ONE_OR_MORE: Form[tuple[str, ...]] = Choice(
    lambda node: _NAMES if isinstance(node, ListNode) else _ONE_NAME, _ONE_NAME, _NAMES, keyword="anyOf"
)


def inside(at: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether `at` is an index prefix of a shape."""
    return len(at) <= len(shape) and all(index < size for index, size in zip(at, shape, strict=False))
