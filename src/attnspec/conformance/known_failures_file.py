"""The file of known failures: read with every fault at once, written so that it reads back (conformance)."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

from attnspec.conformance.known_failures import KnownFailure
from attnspec.corpus.characters import LARGEST
from attnspec.corpus.faults import Fault, FixtureFaults
from attnspec.corpus.nodes import AliasNode, ListNode, MappingNode, Node, ScalarNode, key_node
from attnspec.corpus.yaml_reader import read_tree

KEYS = ("case", "reason", "link", "until")
_HEADER = """\
# What is known to fail, for `attnspec check TARGET --known-failures` with this file's name.
# case: an id, id#part, or a glob of either. reason: why. Where you like: link, and until, the last day that it holds.
"""
_PLAIN = re.compile(r"[a-z][a-z0-9_]*(/[a-z0-9_]+)+(#[a-z0-9_]+)*")
_PATTERN = re.compile(r"[^\s#]+(#\S*[^\s#])?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_FORM = "a list of entries is expected, each `- case: ID` with `reason: WHY`"


class ListFaults(FixtureFaults):
    """A file that is no list of known failures, with all its faults in the order of the file."""


class TooManyFailures(ValueError):
    """More entries than a file may hold."""


def read(path: Path) -> list[KnownFailure]:
    """Return the entries of a file in its order.

    Raises:
        ListFaults: it is no such list.
        OSError: it cannot be read.
    """
    data = path.read_bytes()
    if all(not line.strip() or line.lstrip().startswith(b"#") for line in data.splitlines()):
        return []
    tree, faults = read_tree(data, path)
    entries: list[KnownFailure] = []
    if tree is not None:
        entries, more = _entries(tree, path)
        faults += more
    if faults:
        raise ListFaults(map(_reworded, faults))
    return entries


def write(path: Path, entries: Iterable[KnownFailure]) -> None:
    """Put a list in the place of the file, whole or not at all.

    Raises:
        TooManyFailures: it would be larger than what can be read.
        OSError: it cannot be written.
    """
    data = render(entries).encode()
    if len(data) > LARGEST:
        raise TooManyFailures(f"{len(data)} bytes, of {LARGEST} at most; write a few globs by hand")
    place = path.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        draft.chmod(place.stat().st_mode & 0o777 if place.exists() else 0o644)
        os.replace(draft, place)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def render(entries: Iterable[KnownFailure]) -> str:
    """Return the text of a list; `read` gives the same entries back."""
    return _HEADER + ("".join(map(_rendered, entries)) or "[]\n")


def _rendered(entry: KnownFailure) -> str:
    values = {
        "case": entry.pattern if _PLAIN.fullmatch(entry.pattern) else _quoted(entry.pattern),
        "reason": _quoted(entry.reason),
        "link": _quoted(entry.link) if entry.link else "",
        "until": str(entry.until or ""),
    }
    lines = [f"{key}: {value}\n" for key, value in values.items() if value]
    return "- " + "  ".join(lines)


def _quoted(text: str) -> str:
    """Return the text as JSON has it, which YAML reads alike, with escapes for what the reader refuses raw."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda strange: f"\\u{ord(strange.group()):04x}", quoted)


def _entries(tree: Node, path: Path) -> tuple[list[KnownFailure], list[Fault]]:
    if not isinstance(tree, ListNode):
        return [], [_at(tree, path, _FORM)]
    entries, faults = [], []
    first: dict[str, int] = {}
    for node in tree:
        found = list(_entry_faults(node, path))
        faults += found
        if found:
            continue
        assert isinstance(node, MappingNode)
        entry = _entry(node, path)
        if entry.pattern in first:
            again = f"{entry.pattern} stands here again, first in line {first[entry.pattern]}"
            faults.append(_at(node["case"], path, again))
        first.setdefault(entry.pattern, entry.line)
        entries.append(entry)
    return entries, faults


def _entry_faults(node: Node, path: Path) -> Iterator[Fault]:
    if not isinstance(node, MappingNode):
        yield _at(node, path, _FORM)
        return
    for key in node.keys() - set(KEYS):
        yield _at(key_node(node, key), path, f"{key}: no such key; an entry has {', '.join(KEYS)}")
    for key in ("case", "reason"):
        if key not in node:
            yield _at(node, path, f"no {key}; an entry says which case fails, and why")
    for key, value in node.items():
        if key in KEYS and not isinstance(value, AliasNode) and (message := _value_fault(key, value)):
            yield _at(value, path, f"{key}: {message}")


def _value_fault(key: str, value: Node) -> str:
    if not isinstance(value, ScalarNode):
        return "a text is expected"
    if not value.strip():
        return "nothing stands here"
    if key == "until" and _day(value) is None:
        return f"{value} is no day; YYYY-MM-DD is expected"
    if key == "case" and not _PATTERN.fullmatch(value):
        return f"{str(value)!r} is no case; an id, id#part, or a glob of either is expected"
    return ""


def _entry(node: MappingNode, path: Path) -> KnownFailure:
    texts = {key: str(value) for key, value in node.items()}
    entry = KnownFailure(texts["case"], texts["reason"].strip(), texts.get("link", ""))
    return replace(entry, until=_day(texts.get("until", "")), path=path, line=node.line, column=node.column)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def _at(node: Node, path: Path, message: str) -> Fault:
    return Fault(path, node.line, node.column, message)


def _reworded(fault: Fault) -> Fault:
    """Say what the reader of fixtures found in the words of this file."""
    message = fault.message.replace("a file holds one fixture", "a file holds one list")
    if message.startswith("the alias ") or message.endswith("did not find expected alphabetic or numeric character"):
        message += "; a glob that begins with * is quoted"
    return fault._replace(message=message)
