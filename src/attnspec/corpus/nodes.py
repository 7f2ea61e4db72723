"""The tree that a YAML file is read into: strings, lists and mappings that know their place in the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

Steps = tuple[str | int, ...]
"""A way from the root of a tree: keys and list positions."""


class KeyStep(str):
    """The last step of a way that ends at a key, not at its value."""

    __slots__ = ()


class ScalarNode(str):
    """The text of a scalar; `plain` where it stood without quotes."""

    __slots__ = ("column", "element", "line", "plain")
    line: int
    column: int
    element: str  # what it holds by the vocabulary; the same in all three classes
    plain: bool


class ListNode(list["Node"]):
    __slots__ = ("column", "element", "line", "numbering")
    line: int
    column: int
    element: str
    numbering: list[int]  # the items' positions in the file, where others were set aside


class MappingNode(dict[str, "Node"]):
    """Values by key; the keys are scalar nodes and know their place too."""

    __slots__ = ("column", "element", "line")
    line: int
    column: int
    element: str


class AliasNode(ScalarNode):
    """Where an alias stood: a fault by itself, so nothing more is said about it."""

    __slots__ = ()


Node = ScalarNode | ListNode | MappingNode
AnyNode = TypeVar("AnyNode", ScalarNode, ListNode, MappingNode, AliasNode)


def placed(node: AnyNode, line: int, column: int) -> AnyNode:
    """Give a new node its place."""
    node.line, node.column, node.element = line, column, "float64"
    return node


class Found(NamedTuple):
    """A node, the steps that led to it, and the name that people know it by."""

    node: Node
    steps: Steps
    name: str


def find(root: Node, steps: Steps) -> Found:
    """Follow `steps` as far as the tree goes.

    A step that is not there is left out (the names of a union's members, for one); `gradients.key` is
    two steps where it is no key itself.
    """
    found = Found(root, (), "")
    for step in steps:
        nearer = _enter(found, step)
        if nearer is None and isinstance(step, str) and "." in step:
            nearer = find(found.node, tuple(step.split(".")))
            nearer = Found(nearer.node, found.steps + nearer.steps, joined(found.name, nearer.name))
        found = nearer or found
    return found


def joined(name: str, part: str) -> str:
    return f"{name}.{part}" if name and part and not part.startswith("[") else name + part


def at_key(steps: Steps) -> Steps:
    """The way to the key, for a fault that is the key's."""
    *above, last = steps
    return (*above, KeyStep(last)) if isinstance(last, str) else steps


def key_node(mapping: Node, name: str) -> Node:
    """The key itself, for a fault that points at it."""
    keys = mapping if isinstance(mapping, MappingNode) else ()
    return next((key for key in keys if key == name and isinstance(key, ScalarNode)), mapping)


def without(node: Node, ways: Iterable[Steps]) -> Node:
    """The tree without what stands at these ways, in one pass; lists remember how their items were numbered."""
    below: dict[str | int, list[Steps]] = {}
    for step, *rest in ways:
        below.setdefault(step, []).append(tuple(rest))
    gone = {step for step, ends in below.items() if () in ends}
    pruned: MappingNode | ListNode
    if isinstance(node, MappingNode):
        pruned = placed(MappingNode(), node.line, node.column)
        for key, value in node.items():
            if key not in gone:
                pruned[key] = without(value, below[key]) if key in below else value
    else:
        assert isinstance(node, ListNode)
        pruned = placed(ListNode(), node.line, node.column)
        pruned.extend(
            without(item, below[index]) if index in below else item
            for index, item in enumerate(node)
            if index not in gone
        )
        pruned.numbering = [number for index, number in enumerate(numbering(node)) if index not in gone]
    pruned.element = node.element
    return pruned


def numbering(node: ListNode) -> list[int] | range:
    return getattr(node, "numbering", range(len(node)))


def _enter(found: Found, step: str | int) -> Found | None:
    node = found.node
    if isinstance(node, MappingNode) and isinstance(step, str) and step in node:
        there = key_node(node, step) if isinstance(step, KeyStep) else node[step]
        return Found(there, (*found.steps, step), joined(found.name, step))
    if isinstance(node, ListNode) and isinstance(step, int) and step < len(node):
        return Found(node[step], (*found.steps, step), f"{found.name}[{numbering(node)[step]}]")
    return None
