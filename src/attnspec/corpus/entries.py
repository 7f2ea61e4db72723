"""Forms: how the nodes of a tree are read, with every fault of every entry, and their JSON Schemas (fixture_format).

A leaf is one function; lists and mappings are made of other forms, and so are models (corpus/model.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from attnspec.corpus.nodes import KeyStep, ListNode, MappingNode, Node, ScalarNode, Steps
from attnspec.corpus.numbers import ValueFaults, kind_of, text

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Schema = dict[str, Any]


class EntryFault(NamedTuple):
    """What is wrong with an entry.

    Args:
        steps: the way to the entry, or to the key that is missing.
        message: what is wrong and what would be right.
        inner: the way on from the entry to where the fault points.
        is_missing: whether the last step leads to nothing.
    """

    steps: Steps
    message: str
    inner: Steps = ()
    is_missing: bool = False


class EntryFaults(Exception):
    """Every fault that was found in a node."""

    def __init__(self, faults: list[EntryFault]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


class Form(Protocol[T_co]):
    """A way to read a node."""

    def read(self, node: Node) -> T_co:
        """Return what the node holds; ValueError or EntryFaults where it cannot be read."""

    def schema(self, definitions: Schema) -> Schema:
        """Return the JSON Schema; a model stands among the definitions, under its name."""


class Leaf(Generic[T]):
    """A value that one function reads as a whole."""

    def __init__(self, read: Callable[[Node], T], schema: Schema) -> None:
        self.read = read
        self._schema = schema

    def only(self, check: Callable[[T], None], schema: Schema | None = None) -> Leaf[T]:
        """Return a leaf for the same values but those for which `check` raises ValueError.

        Args:
            check: says what is wrong with a value.
            schema: the JSON Schema, where it can say so too.
        """

        def read(node: Node) -> T:
            value = self.read(node)
            check(value)
            return value

        return Leaf(read, schema or self._schema)

    def schema(self, definitions: Schema) -> Schema:
        return self._schema


class Items(Generic[T]):
    """A list of so many entries at least."""

    def __init__(self, item: Form[T], least: int = 0) -> None:
        self.item, self.least = item, least

    def read(self, node: Node) -> tuple[T, ...]:
        if not isinstance(node, ListNode):
            raise ValueError(f"{kind_of(node)} where a list is expected")
        _must_have(node, self.least)
        faults = Faults()
        items = [faults.reading(index, self.item.read, item) for index, item in enumerate(node)]
        faults.told()
        return tuple(items)

    def schema(self, definitions: Schema) -> Schema:
        least = {"minItems": self.least} if self.least else {}
        return {"items": self.item.schema(definitions), **least, "type": "array"}


class Named(Generic[T]):
    """A mapping from any names to so many entries at least."""

    def __init__(self, entry: Form[T], least: int = 0) -> None:
        self.entry, self.least = entry, least

    def read(self, node: Node) -> Mapping[str, T]:
        entries = mapping_of(node)
        _must_have(entries, self.least)
        faults = Faults()
        read = {}
        for key, entry in entries.items():
            name = faults.reading(KeyStep(key), text, cast("ScalarNode", key))  # as the reader makes them
            read[name] = faults.reading(key, self.entry.read, entry)
        faults.told()
        return read

    def schema(self, definitions: Schema) -> Schema:
        least = {"minProperties": self.least} if self.least else {}
        return {"additionalProperties": self.entry.schema(definitions), **least, "type": "object"}


class Choice(Generic[T]):
    """One of several forms: a look at the node tells which, so that only the faults of that one are told."""

    def __init__(self, choose: Callable[[Node], Form[T]], *forms: Form[T], keyword: str = "oneOf") -> None:
        self.choose, self.forms, self.keyword = choose, forms, keyword

    def read(self, node: Node) -> T:
        return self.choose(node).read(node)

    def schema(self, definitions: Schema) -> Schema:
        return {self.keyword: [form.schema(definitions) for form in self.forms]}


class Faults:
    """The faults of a node's entries, so that the first one hides no other."""

    def __init__(self) -> None:
        self.found: list[EntryFault] = []

    def reading(self, step: str | int, read: Callable[[Node], T], node: Node) -> T:
        """Return what the entry at this step holds; nothing where it has faults, which `told` then tells."""
        try:
            return read(node)
        except EntryFaults as error:
            self.found += [fault._replace(steps=(step, *fault.steps)) for fault in error.faults]
        except ValueFaults as error:
            self.found += [EntryFault((step,), message, inner) for inner, message in error.faults]
        except ValueError as error:
            self.found.append(EntryFault((step,), str(error)))
        return None  # type: ignore[return-value]  # nobody gets to see it

    def told(self) -> None:
        """Raise EntryFaults where there are any."""
        if self.found:
            raise EntryFaults(self.found)


def mapping_of(node: Node) -> MappingNode:
    """Return the node where it is a mapping; ValueError says what stands there else."""
    if not isinstance(node, MappingNode):
        raise ValueError(f"{kind_of(node)} where a mapping is expected")
    return node


def _must_have(node: ListNode | MappingNode, least: int) -> None:
    if len(node) < least:
        raise ValueError("at least one entry is expected")
