"""What check_portability.py found, as a table for people and a document for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from _portability_run import Result
from _portability_settings import Setting
from attnspec import __version__
from attnspec.cli.common import counted

COLUMNS = ("platform", "switched off", "runs", "Python", "NumPy", "byte order", "values", "bits equal")
MOST_SHOWN = 5


@dataclass(frozen=True)
class Outcome:
    """Everything that was found.

    Args:
        cases: how many goldens were computed again.
        corpus: the digest of the corpus.
        results: a result for each run.
        not_run: what could not be run, and why.
    """

    cases: int
    corpus: str
    results: Sequence[Result]
    not_run: Sequence[tuple[str, str]] = ()

    @property
    def values(self) -> int:
        return sum(result.values for result in self.results)

    @property
    def unequal(self) -> int:
        return sum(not result.equal for result in self.results)


def rows(results: Sequence[Result], each: bool = False) -> list[tuple[str, ...]]:
    """Return the table's rows: one for each platform and what is switched off, or one for each run."""
    return [_row(group) for group in ([[one] for one in results] if each else _groups(results))]


def _groups(results: Sequence[Result]) -> list[list[Result]]:
    groups: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        told = result.description
        key = (result.platform.name, *result.platform.setting.off, *map(str, (told.get("python"), told.get("numpy"))))
        groups.setdefault(key, []).append(result)
    return list(groups.values())


def _row(group: Sequence[Result]) -> tuple[str, ...]:
    result, unequal = group[0], sum(not one.equal for one in group)
    setting, told = result.platform.setting, result.description
    words = [_off(setting), *([setting.kernel, _threads(setting)] if len(group) == 1 else [])]
    return (
        result.platform.name,
        ", ".join(filter(None, words)),
        str(len(group)),
        *(str(told.get(name, "")) for name in ("python", "numpy", "byte_order")),
        f"{sum(one.values for one in group):,}",
        "all" if not unequal else "no answer" if result.fault else f"not in {unequal} of {len(group)}",
    )


def _off(setting: Setting) -> str:
    """Say what is switched off; a level is told by its ends."""
    off = setting.off
    return f"{off[0]} to {off[-1]}" if len(off) > 3 else " ".join(off) or "nothing"


def _threads(setting: Setting) -> str:
    return counted(setting.threads, "thread") if setting.threads else ""


def text(outcome: Outcome, each: bool = False) -> Iterator[str]:
    """Yield the lines for a terminal."""
    table = [COLUMNS, *rows(outcome.results, each)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    right = {"runs", "values"}
    for row in table:
        cells = zip(COLUMNS, row, widths, strict=True)
        yield "  ".join(
            f"{cell:>{width}}" if name in right else f"{cell:{width}}" for name, cell, width in cells
        ).rstrip()
    yield from (f"not run: {what}: {why}" for what, why in outcome.not_run)
    alike: dict[tuple[str, ...], list[Result]] = {}
    for result in outcome.results:
        if not result.equal:
            alike.setdefault((result.fault, *map(str, result.differences)), []).append(result)
    for group in alike.values():
        yield from _differences(group)
    yield summary(outcome)


def _differences(group: Sequence[Result]) -> Iterator[str]:
    """Yield what differs in some runs alike, and which they are."""
    result = group[0]
    more = f", and {counted(len(group) - 1, 'more run')} alike" if len(group) > 1 else ""
    yield f"{', '.join(_row([result])[:2])}{more}:"
    if result.fault:
        yield f"  no answer: {result.fault}"
    yield from (f"  {difference}" for difference in result.differences[:MOST_SHOWN])
    hidden = len(result.differences) - MOST_SHOWN
    if hidden > 0:
        yield f"  and {counted(hidden, 'more tensor')}; --json has all"


def summary(outcome: Outcome) -> str:
    """Return the last line."""
    runs = counted(len(outcome.results), "run")
    said = f"{counted(outcome.cases, 'golden')}, {runs}, {outcome.values:,} values compared: "
    return said + (f"{counted(outcome.unequal, 'run')} not equal" if outcome.unequal else "every bit equal")


def document(outcome: Outcome) -> dict[str, Any]:
    """Return everything for machines."""
    return {
        "attnspec": __version__,
        "date": today(),
        "goldens": outcome.cases,
        "corpus": outcome.corpus,
        "equal": not outcome.unequal,
        "runs": [_run(result) for result in outcome.results],
        "not_run": [{"what": what, "why": why} for what, why in outcome.not_run],
    }


def _run(result: Result) -> dict[str, Any]:
    setting = result.platform.setting
    return {
        "platform": result.platform.name,
        **{name: result.description.get(name) for name in ("machine", "python", "numpy", "byte_order", "features")},
        "switched_off": list(setting.off),
        "kernel": setting.kernel or result.description.get("kernel"),
        "threads": setting.threads or None,
        "values": result.values,
        "equal": result.equal,
        "fault": result.fault or None,
        "differences": [
            {
                "case": one.case,
                **{name: part for name, part in asdict(one.mismatch).items() if name not in ("bound", "share")},
                "expected_bits": one.expected_bits or None,
                "got_bits": one.got_bits or None,
            }
            for one in result.differences
        ],
    }


def today() -> str:
    """Return the date."""
    return datetime.now(UTC).date().isoformat()
