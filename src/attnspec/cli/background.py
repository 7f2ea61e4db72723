"""What a topic's page tells beside its clauses: what its results are for, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator

from attnspec.corpus.histories import History, histories, roles
from attnspec.corpus.store import Corpus


def background_lines(topic: str, corpus: Corpus) -> Iterator[str]:
    """Yield the roles and the histories of a topic, ready to print; nothing where its page has none."""
    named = roles(topic, corpus.spec)
    if named:
        yield "\nroles"
        yield from (f"  {name}: {role}" for name, role in named.items())
    for history in histories(topic, corpus.spec):
        yield "\nhistory"
        yield from (f"  {line}" for line in _table(history))
        yield f"  {history.caption}"
        yield from (f"  {what}: {label}" for what, label in history.labels.items())


def _table(history: History) -> list[str]:
    rows = [("", *history.columns)] + [(f"{row.name} ({row.source})", *row.cells) for row in history.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
