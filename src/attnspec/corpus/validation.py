"""From the tree of a file to its models: every fault at its place, one message for each (fixture_format)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from attnspec.corpus.entries import EntryFault, EntryFaults
from attnspec.corpus.nodes import (
    AliasNode,
    ListNode,
    MappingNode,
    Node,
    ScalarNode,
    Steps,
    find,
    joined,
    placed,
    without,
)
from attnspec.corpus.schema import Document
from attnspec.corpus.vocabulary import OPERATIONS, Kind


class Problem(NamedTuple):
    """What is wrong at a node; `name` is the value that the message speaks of."""

    node: Node
    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.name else self.message


class Validated(NamedTuple):
    """The models, the tree without the faulty entries that were set aside, and what was wrong.

    There are no models where the operation cannot be told: nothing further could be checked.
    """

    document: Document | None
    tree: MappingNode
    problems: list[Problem]


def validate(tree: MappingNode) -> Validated:
    """Read the models, setting faulty entries aside until the rest is sound."""
    tell_kinds(tree)
    left = tree
    problems: list[Problem] = []
    aside: set[str] = set()  # the names of what was set aside, and of all that holds some of it
    while True:
        try:
            return Validated(Document.read(left), left, problems)
        except EntryFaults as error:
            faulty = [_Entry.of(left, fault) for fault in error.faults]
        for name, _, problem in faulty:
            only_lacks_what_is_aside = name in aside
            if not (only_lacks_what_is_aside or isinstance(problem.node, AliasNode)):
                problems.append(problem)
        if any(entry.name == "operation" for entry in faulty):
            return Validated(None, left, problems)
        aside.update(name for entry in faulty for name in _and_holders(entry.name))
        left = _set_aside(left, [entry.steps for entry in faulty])


def tell_kinds(tree: MappingNode) -> None:
    """Tell values what they hold by the vocabulary, where it is no float64 tensor."""
    operation = OPERATIONS.get(str(tree.get("operation")))
    if operation is None:
        return
    _tell(tree.get("inputs"), operation.inputs)
    _tell(tree.get("expect"), operation.outputs)
    questions = tree.get("questions")
    for question in questions if isinstance(questions, ListNode) else ():
        found = find(question, ("answer", "values"))
        if found.steps == ("answer", "values"):
            _tell(found.node, operation.outputs)


def _tell(values: Node | None, kinds: dict[str, Kind]) -> None:
    for name, node in values.items() if isinstance(values, MappingNode) else ():
        if name in kinds:
            node.element = kinds[name].element
            parts = node.get("parts") if isinstance(node, MappingNode) else None
            for one in (node, *(parts if isinstance(parts, ListNode) else ())):
                if isinstance(one, MappingNode) and "values" in one:
                    one["values"].element = node.element


class _Entry(NamedTuple):
    """A faulty entry: its name, what to set aside for it, and what is wrong with it."""

    name: str
    steps: Steps
    problem: Problem

    @classmethod
    def of(cls, tree: Node, fault: EntryFault) -> _Entry:
        entry = find(tree, fault.steps)
        if fault.is_missing:
            key = str(fault.steps[-1])
            name = joined(entry.name, key)
            return cls(name, entry.steps or (key,), Problem(entry.node, name, fault.message))
        inner = find(entry.node, fault.inner)
        return cls(entry.name, entry.steps, Problem(inner.node, joined(entry.name, inner.name), fault.message))


def _and_holders(name: str) -> Iterator[str]:
    """Yield a name and the names of all that it stands in: `a.b[0]`, `a`, `a.b`."""
    yield name
    yield from (name[: end.start()] for end in re.finditer(r"[.\[]", name))


def _set_aside(tree: MappingNode, ways: list[Steps]) -> MappingNode:
    """Remove entries; where the file as a whole needs one, something sound takes its place."""
    needed = {str(first): _STAND_INS[str(first)] for first, *rest in ways if not rest and first in _STAND_INS}
    pruned = without(tree, [steps for steps in ways if steps[0] not in needed])
    assert isinstance(pruned, MappingNode)
    pruned.update(needed)
    return pruned


def _stand_in(text: str) -> ScalarNode:
    node = placed(ScalarNode(text), 1, 1)
    node.plain = False
    return node


_STAND_INS: dict[str, Node] = {
    "about": _stand_in("-"),
    "source": _stand_in("oracle"),
    "profile": _stand_in("isolation"),
    "clauses": placed(ListNode([_stand_in("none.0")]), 1, 1),
    "inputs": placed(MappingNode(), 1, 1),
}
