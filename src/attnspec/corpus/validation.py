"""From the tree of a file to its models: every fault at its place, one message for each (fixture_format)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from attnspec.corpus.keys import keys_at
from attnspec.corpus.nodes import (
    AliasNode,
    ListNode,
    MappingNode,
    Node,
    ScalarNode,
    Steps,
    at_key,
    find,
    joined,
    placed,
    without,
)
from attnspec.corpus.numbers import ValueFaults, kind_of
from attnspec.corpus.rejections import nearest
from attnspec.corpus.schema import Document
from attnspec.corpus.vocabulary import OPERATIONS, Kind

_CONTAINERS = {"model_type": "a mapping", "dict_type": "a mapping", "tuple_type": "a list"}
_REWORDED = {
    "missing": "missing",
    "too_short": "at least one entry is expected",
    "literal_error": "all, or a list of token counts, is expected",
}


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
            return Validated(Document.model_validate(left), left, problems)
        except ValidationError as error:
            faulty = [_Entry.of(left, detail) for detail in error.errors(include_url=False, include_input=False)]
        for entry in faulty:
            if entry.name not in aside:  # else it only lacks what was set aside
                problems.extend(entry.problems())
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
    """An entry that pydantic refuses: its name, what to set aside for it, and the node that the fault points at."""

    name: str
    steps: Steps
    node: Node
    detail: ErrorDetails

    @classmethod
    def of(cls, tree: Node, detail: ErrorDetails) -> _Entry:
        found = find(tree, at_key(detail["loc"]) if detail["type"] == "extra_forbidden" else detail["loc"])
        if detail["type"] == "missing":
            last = str(detail["loc"][-1])
            return cls(joined(found.name, last), found.steps or (last,), found.node, detail)
        return cls(found.name, found.steps, found.node, detail)

    def problems(self) -> Iterator[Problem]:
        if isinstance(self.node, AliasNode):
            return
        cause = self.detail.get("ctx", {}).get("error")
        if not isinstance(cause, ValueFaults):
            yield Problem(self.node, self.name, self._message(cause))
            return
        for steps, message in cause.faults:
            inner = find(self.node, steps)
            if not isinstance(inner.node, AliasNode):
                yield Problem(inner.node, joined(self.name, inner.name), message)

    def _message(self, cause: object) -> str:
        kind = self.detail["type"]
        if kind == "extra_forbidden":
            return f"unknown key; {nearest(str(self.steps[-1]), keys_at(self.steps[:-1]))}"
        if kind in _CONTAINERS:
            return f"{kind_of(self.node)} where {_CONTAINERS[kind]} is expected"
        return str(cause) if cause else _REWORDED.get(kind, self.detail["msg"])


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
