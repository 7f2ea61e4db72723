"""Histories and roles on the pages of topics: fenced blocks of data that a reader is shown beside a case.

A block begins with ```yaml history or ```yaml roles and has one form:

    history: caption, columns, rows [{name, source, cells}] with a cell for each column, labels {what: label}
    roles:   what each result is for, by its name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from attnspec.corpus.nodes import ListNode, MappingNode, Node, ScalarNode
from attnspec.corpus.yaml_reader import read_tree

_BLOCK = re.compile(r"^```yaml (?P<kind>history|roles)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class HistoryFault(ValueError):
    """A block of a page that has not the form of its kind; the message names the page."""


@dataclass(frozen=True)
class Row:
    """A mechanism, who described it, and its label in each column."""

    name: str
    source: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class History:
    """A comparison with earlier work: a table, and each label under what it stands for."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    labels: Mapping[str, str]


def histories(topic: str, spec: Path) -> tuple[History, ...]:
    """Return the histories on a topic's page, in their order; none where there is no page.

    Raises:
        HistoryFault: a block has another form.
    """
    return tuple(_history(page, tree) for page, tree in _blocks(topic, spec, "history"))


def roles(topic: str, spec: Path) -> dict[str, str]:
    """Return what each result of a topic is for, by its name.

    Raises:
        HistoryFault: a block has another form.
    """
    return {name: role for page, tree in _blocks(topic, spec, "roles") for name, role in _texts(page, tree).items()}


def _blocks(topic: str, spec: Path, kind: str) -> Iterator[tuple[Path, Node]]:
    page = spec / f"{topic}.md"
    if not page.is_file():
        return
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["kind"] == kind:
            tree, faults = read_tree(block["text"].encode(), page)
            if tree is None or faults:
                raise HistoryFault(f"{page}: {kind}: {'; '.join(fault.message for fault in faults)}")
            yield page, tree


def _history(page: Path, tree: Node) -> History:
    entries = _mapping(page, tree, "caption", "columns", "rows", "labels")
    columns = _list(page, entries["columns"])
    rows = tuple(_row(page, row, len(columns)) for row in _nodes(page, entries["rows"]))
    return History(_text(page, entries["caption"]), columns, rows, _texts(page, entries["labels"]))


def _row(page: Path, node: Node, columns: int) -> Row:
    entries = _mapping(page, node, "name", "source", "cells")
    cells = _list(page, entries["cells"])
    if len(cells) != columns:
        raise HistoryFault(f"{page}: a row of {len(cells)} cells under {columns} columns")
    return Row(_text(page, entries["name"]), _text(page, entries["source"]), cells)


def _mapping(page: Path, node: Node, *keys: str) -> MappingNode:
    if not isinstance(node, MappingNode) or set(node) != set(keys):
        raise HistoryFault(f"{page}: the keys {', '.join(keys)} are expected, all of them and no other")
    return node


def _texts(page: Path, node: Node) -> dict[str, str]:
    if not isinstance(node, MappingNode):
        raise HistoryFault(f"{page}: texts by name are expected")
    return {str(name): _text(page, value) for name, value in node.items()}


def _list(page: Path, node: Node) -> tuple[str, ...]:
    return tuple(_text(page, item) for item in _nodes(page, node))


def _nodes(page: Path, node: Node) -> ListNode:
    if not isinstance(node, ListNode):
        raise HistoryFault(f"{page}: a list is expected")
    return node


def _text(page: Path, node: Node) -> str:
    if not isinstance(node, ScalarNode):
        raise HistoryFault(f"{page}: a text is expected")
    return str(node)
