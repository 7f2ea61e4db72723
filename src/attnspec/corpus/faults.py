"""What is wrong with a fixture, and where (fixture_format)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from attnspec.corpus.legible import legible

MOST = 100  # faults reported of one file
LONGEST = 500  # characters of a message, which may repeat what the file says


class Fault(NamedTuple):
    """One fault: what is wrong and what would be right, at a line and column counted from 1."""

    path: Path
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


class FixtureFaults(Exception):
    """A file that is no fixture, with all its faults in the order of the file."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = in_order(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))

    def __reduce__(self) -> tuple[type[FixtureFaults], tuple[tuple[Fault, ...]]]:
        return FixtureFaults, (self.faults,)


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return each fault once and in one line, by place; beyond the first hundred only that there are more."""
    told = dict.fromkeys(fault._replace(message=legible(fault.message, LONGEST)) for fault in faults)
    ordered = sorted(told, key=lambda fault: (str(fault.path), fault.line, fault.column))
    if len(ordered) <= MOST:
        return tuple(ordered)
    last = ordered[MOST - 1]
    return (*ordered[:MOST], last._replace(message=f"and {len(ordered) - MOST} more"))
