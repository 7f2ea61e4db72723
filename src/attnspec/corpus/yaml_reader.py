"""The strict YAML reader: from bytes to a tree that knows its places, and every fault on the way (fixture_format)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import yaml

from attnspec.corpus.faults import Fault
from attnspec.corpus.nodes import AliasNode, ListNode, MappingNode, Node, ScalarNode, placed

DEPTH = 32
LARGEST = 1 << 20  # bytes

# What YAML's parsers read differently or people cannot see: everything but printable characters, spaces
# and line ends; directives, which begin a line with %.
_STRANGE = re.compile(
    "[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)|^%[^\n\r]*",
    re.MULTILINE,
)
_NAMES = {"\t": "a tab; use spaces", "\ufeff": "a byte order mark; save the file without it"}


class _Stop(Exception):
    """Reading cannot go on: the rest of the file has no certain meaning."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column, self.message = line, column, message


def read_tree(data: bytes, path: Path, pure: bool = False) -> tuple[Node | None, list[Fault]]:
    """Return the tree of a file and its faults; no tree where it cannot be told what the text means.

    Args:
        data: the bytes of the file.
        path: what the faults name.
        pure: use PyYAML's own parser, not libyaml's.
    """
    builder = _Builder(path)
    try:
        text = builder.characters(_decoded(data))
        return builder.document(events(text, pure)), builder.faults
    except _Stop as stop:
        builder.fault(stop.line, stop.column, stop.message)
    except yaml.YAMLError as error:
        builder.fault(*_syntax(error))
    return None, builder.faults


def events(text: str, pure: bool = False) -> Iterator[yaml.Event]:
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
        return [fault._replace(message=f"YAML parsers disagree here: quote the text ({fault.message})") for fault in faults]
    node = _first_difference(tree, other)
    return [] if node is None else [Fault(path, node.line, node.column, "YAML parsers disagree here: quote the text")]


class _Builder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[Fault] = []

    def fault(self, line: int, column: int, message: str) -> None:
        self.faults.append(Fault(self.path, line, column, message))

    def characters(self, text: str) -> str:
        """Report characters and directives that have no place here; spaces stand in for them."""
        if text.startswith("\ufeff"):  # invisible, and no column in any editor
            self.fault(1, 1, _NAMES["\ufeff"])
            text = text[1:]
        if not _STRANGE.search(text):
            return text
        starts = [0, *(end.end() for end in re.finditer("\n", text))]
        for strange in _STRANGE.finditer(text):
            line = bisect_right(starts, strange.start())
            self.fault(line, strange.start() - starts[line - 1] + 1, _strange(strange.group()))
        return _STRANGE.sub(lambda strange: " " * len(strange.group()), text)

    def document(self, stream: Iterator[yaml.Event]) -> Node:
        """Read the only document of a stream."""
        next(stream)  # the stream begins
        event = next(stream)
        if not isinstance(event, yaml.DocumentStartEvent):
            raise _Stop(1, 1, "the file is empty; a fixture is a mapping")
        node = self.node(next(stream), stream, 0)
        next(stream)  # the document ends
        event = next(stream)
        if isinstance(event, yaml.DocumentStartEvent):
            self.fault(*_place(event), "a second document; a file holds one fixture")
        return node

    def node(self, event: yaml.Event, stream: Iterator[yaml.Event], depth: int) -> Node:
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
            return _scalar(ScalarNode(event.value), line, column, not event.style)
        if depth == DEPTH:
            raise _Stop(line, column, f"more than {DEPTH} levels deep")
        if kind is yaml.SequenceStartEvent:
            items = placed(ListNode(), line, column)
            while type(item := next(stream)) is not yaml.SequenceEndEvent:
                items.append(self.node(item, stream, depth + 1))
            return items
        return self.mapping(placed(MappingNode(), line, column), stream, depth)

    def mapping(self, entries: MappingNode, stream: Iterator[yaml.Event], depth: int) -> MappingNode:
        while type(event := next(stream)) is not yaml.MappingEndEvent:
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


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST:
        raise _Stop(1, 1, f"{len(data)} bytes, of {LARGEST} at most; large inputs are written as formulas")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        raise _Stop(line, column, f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8") from None


def _strange(text: str) -> str:
    if text.startswith("%"):
        return "a line that begins with %; directives are not read"
    return _NAMES.get(text, f"the character U+{ord(text):04X}; use printable characters and plain line ends")


def _scalar(node: ScalarNode, line: int, column: int, plain: bool) -> ScalarNode:
    node.plain = plain
    return placed(node, line, column)


def _place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


def _syntax(error: yaml.YAMLError) -> tuple[int, int, str]:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    message = f"not YAML: {' '.join(str(problem).split())}"
    return (1, 1, message) if mark is None else (mark.line + 1, mark.column + 1, message)


def _first_difference(ours: Node, theirs: Node) -> Node | None:
    if isinstance(ours, ScalarNode) and isinstance(theirs, ScalarNode):
        return None if ours == theirs and ours.plain == theirs.plain else ours
    if isinstance(ours, MappingNode) and isinstance(theirs, MappingNode):
        pairs = [pair for both in zip(ours.items(), theirs.items()) for pair in zip(*both)]
    elif isinstance(ours, ListNode) and isinstance(theirs, ListNode):
        pairs = list(zip(ours, theirs))
    else:
        return ours
    for one, other in pairs:
        if (node := _first_difference(one, other)) is not None:
            return node
    return None if len(ours) == len(theirs) else ours
