"""The strict YAML reader: from bytes to a tree that knows its places, and every fault on the way (fixture_format)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from attnspec.corpus.characters import UnreadableError, readable
from attnspec.corpus.faults import Fault
from attnspec.corpus.nodes import AliasNode, ListNode, MappingNode, Node, ScalarNode, placed

DEPTH = 32

_DISAGREE = "YAML parsers disagree here: quote the text"
_TOO_DEEP = f"more than {DEPTH} levels deep"
_SURROGATE = re.compile("[\ud800-\udfff]")
MOST_KEYS = 1000
_COLON = "; text that holds a colon and a space is quoted"
_HINTS = {
    "mapping values are not allowed in this context": _COLON,
    "mapping values are not allowed here": _COLON,
}


def read_tree(data: bytes, path: Path, pure: bool = False) -> tuple[Node | None, list[Fault]]:
    """Return the tree of a file and its faults; no tree where it cannot be told what the text means.

    Args:
        data: the bytes of the file.
        path: what the faults name.
        pure: use PyYAML's own parser, not libyaml's.
    """
    builder = _Builder(path)
    try:
        text, strange = readable(data)
        for place in strange:
            builder.fault(*place)
        return builder.document(events(text, pure)), builder.faults
    except UnreadableError as stop:
        builder.fault(*stop.place)
    except yaml.YAMLError as error:
        builder.fault(*_syntax(error))
    return None, builder.faults


def events(text: str, pure: bool = False) -> Iterator[Any]:
    """The parser's events, one by one: of libyaml's parser, or of the pure one where there is no libyaml."""
    loader = yaml.Loader(text) if pure or not yaml.__with_libyaml__ else yaml.CLoader(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


def disagreement(data: bytes, path: Path, tree: Node) -> list[Fault]:
    """What PyYAML's own parser reads otherwise than `tree`, which libyaml's parser read."""
    other, faults = read_tree(data, path, pure=True)
    if other is None:
        return [fault._replace(message=f"{_DISAGREE} ({fault.message})") for fault in faults]
    node = _first_difference(tree, other)
    return [] if node is None else [Fault(path, node.line, node.column, _DISAGREE)]


class _Builder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[Fault] = []

    def fault(self, line: int, column: int, message: str) -> None:
        self.faults.append(Fault(self.path, line, column, message))

    def document(self, stream: Iterator[Any]) -> Node:
        """Read the only document of a stream."""
        next(stream)  # the stream begins
        event = next(stream)
        if not isinstance(event, yaml.DocumentStartEvent):
            raise UnreadableError(1, 1, "the file is empty; a fixture is a mapping")
        node = self.node(next(stream), stream, 0)
        next(stream)  # the document ends
        event = next(stream)
        if isinstance(event, yaml.DocumentStartEvent):
            self.fault(*_place(event), "a second document; a file holds one fixture")
        return node

    def node(self, event: Any, stream: Iterator[Any], depth: int) -> Node:
        line, column = _place(event)
        kind = type(event)
        if kind is yaml.AliasEvent:
            self.fault(line, column, f"the alias *{event.anchor}; write the value out")
            return _scalar(AliasNode("*"), line, column, True)
        if event.anchor is not None:
            self.fault(line, column, f"the anchor &{event.anchor}; anchors and aliases are not read")
        if event.tag is not None:
            self.fault(line, column, f"the tag {event.tag}; values have no tags here")
        if kind is yaml.ScalarEvent:
            if not event.value.isascii() and _SURROGATE.search(event.value):  # libyaml refuses the escape itself
                raise UnreadableError(line, column, "not YAML: an escape that stands for no character")
            return _scalar(ScalarNode(event.value), line, column, not event.style)
        if depth == DEPTH:
            raise UnreadableError(line, column, _TOO_DEEP)
        if kind is yaml.SequenceStartEvent:
            items = placed(ListNode(), line, column)
            while type(item := next(stream)) is not yaml.SequenceEndEvent:
                items.append(self.node(item, stream, depth + 1))
            return items
        return self.mapping(placed(MappingNode(), line, column), stream, depth)

    def mapping(self, entries: MappingNode, stream: Iterator[Any], depth: int) -> MappingNode:
        while type(event := next(stream)) is not yaml.MappingEndEvent:
            if len(entries) == MOST_KEYS:
                raise UnreadableError(
                    *_place(event), f"more than {MOST_KEYS} keys in one mapping; no fixture has as many"
                )
            key = self.node(event, stream, depth + 1)
            value = self.node(next(stream), stream, depth + 1)
            if not isinstance(key, ScalarNode):
                self.fault(key.line, key.column, "a key must be a name")
            elif key in entries:
                first = next(known for known in entries if known == key)
                assert isinstance(first, ScalarNode)
                self.fault(key.line, key.column, f"the key {key} stands here again, first in line {first.line}")
            elif not isinstance(key, AliasNode):
                entries[key] = value
        return entries


def _scalar(node: ScalarNode, line: int, column: int, plain: bool) -> ScalarNode:
    node.plain = plain
    return placed(node, line, column)


def _place(event: Any) -> tuple[int, int]:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


def _syntax(error: yaml.YAMLError) -> tuple[int, int, str]:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    message = f"not YAML: {' '.join(str(problem).split())}{_HINTS.get(str(problem), '')}"
    if "nesting depth" in message:  # libyaml looks ahead, and gives up at a thousand
        message = _TOO_DEEP
    return (1, 1, message) if mark is None else (mark.line + 1, mark.column + 1, message)


def _first_difference(ours: Node, theirs: Node) -> Node | None:
    if isinstance(ours, ScalarNode) and isinstance(theirs, ScalarNode):
        return None if ours == theirs and ours.plain == theirs.plain else ours
    if isinstance(ours, ListNode) and isinstance(theirs, ListNode):
        pairs = list(zip(ours, theirs, strict=False))
    elif isinstance(ours, MappingNode) and isinstance(theirs, MappingNode) and list(ours) == list(theirs):
        pairs = list(zip(ours.values(), theirs.values(), strict=True))
    else:
        return ours
    inner = next(filter(None.__ne__, (_first_difference(*pair) for pair in pairs)), None)
    return ours if inner is None and len(ours) != len(theirs) else inner
