"""What benchmark.py found, as a table for people, a document for machines, and the table of README.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from _benchmark_machine import sentence, was_busy
from _benchmark_rows import Missing, Row

if TYPE_CHECKING:
    from rich.table import Table

COLUMNS = ("what", "attnspec", "against", "that takes", "ratio", "target", "met")
RIGHT = {"attnspec", "that takes", "ratio"}
STYLES = {"yes": "green", "NO": "bold red"}


@dataclass(frozen=True)
class Outcome:
    """Everything that was found.

    Args:
        machine: what `_benchmark_machine.described` returned, and the load at the end.
        rounds: how often each side was measured.
        rows: the figures.
        missing: what could not be measured.
    """

    machine: dict[str, Any]
    rounds: int
    rows: Sequence[Row]
    missing: Sequence[Missing] = ()

    @property
    def missed(self) -> list[Row]:
        return [row for row in self.rows if row.is_met is False]


def cells(row: Row) -> tuple[str, ...]:
    """Return the cells of a row, by column."""
    met = {True: "yes", False: "NO", None: ""}[row.is_met]
    other = "" if row.other is None else quantity(row.other, row.unit)
    ratio = "" if row.ratio is None else f"{_times(row.ratio)} ×"
    return (row.what, quantity(row.value, row.unit), row.against, other, ratio, _target(row), met)


def quantity(value: float, unit: str) -> str:
    """Return a value with its unit."""
    return f"{number(value)} {unit}".rstrip()


def number(value: float) -> str:
    """Return a number with three digits, or all those before the point."""
    places = 0 if value >= 99.95 or value == 0 else 1 if value >= 9.995 else 2
    return f"{value:,.{places}f}"


def _times(ratio: float) -> str:
    return f"1/{number(1 / ratio)}" if ratio < 0.1 else number(ratio)


def _target(row: Row) -> str:
    if row.target is None:
        return ""
    limit = f"{row.target.limit:g} {'×' if row.target.of_ratio else row.unit}"
    return f"{'at least' if row.target.is_floor else 'at most'} {limit}".rstrip()


def notes(outcome: Outcome) -> list[str]:
    """Return what stands below the table."""
    with_target = [row for row in outcome.rows if row.target]
    met = len(with_target) - len(outcome.missed)
    return [
        sentence(outcome.machine),
        f"All sides of a comparison are measured in turn, in {outcome.rounds} rounds (growth: half as many); times are "
        "medians, a ratio is the median of the rounds' ratios.",
        *(["The machine was busy with something else: measure again."] if was_busy(outcome.machine) else []),
        *(f"Not measured: {one.section}: {one.what} {one.why}." for one in outcome.missing),
        *([f"{met} of {len(with_target)} targets met."] if with_target else []),
    ]


def table(rows: Sequence[Row]) -> Table:
    """Return the table for a terminal, a group of rows for each section."""
    from rich.markup import escape
    from rich.table import Table

    made = Table(box=None, pad_edge=False)
    for name in COLUMNS:
        made.add_column(name, justify="right" if name in RIGHT else "left", no_wrap=True)
    section = ""
    for row in rows:
        if row.section != section:
            section = row.section
            made.add_row(f"[bold]{escape(section)}[/]")
        *words, met = cells(row)
        made.add_row(*map(escape, words), f"[{STYLES[met]}]{met}[/]" if met else "")
    return made


def print_outcome(outcome: Outcome) -> None:
    """Print the table and the notes, in a width of its own where nobody reads along."""
    import sys

    from rich.console import Console

    width = None if sys.stdout.isatty() else 180
    console = Console(highlight=False, width=width, soft_wrap=True)
    console.print(table(outcome.rows), crop=False)
    console.print()
    for line in notes(outcome):
        console.print(line, markup=False)


def document(outcome: Outcome) -> dict[str, Any]:
    """Return everything for machines."""
    return {
        **outcome.machine,
        "rounds": outcome.rounds,
        "rows": [{**asdict(row), "met": row.is_met} for row in outcome.rows],
        "missing": [asdict(one) for one in outcome.missing],
    }


def markdown(outcome: Outcome) -> str:
    """Return the table of README.md with its notes."""
    aligned = ["---:" if name in RIGHT else "---" for name in COLUMNS]
    rows = [cells(replace(row, what=f"{row.section}: {row.what}")) for row in outcome.rows]
    lines = [COLUMNS, aligned, *rows]
    table_lines = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([*table_lines, "", *_wrapped(" ".join(notes(outcome)))])


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, 118, break_on_hyphens=False, break_long_words=False)
