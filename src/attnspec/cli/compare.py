"""`attnspec compare`: what changed between two reports of `attnspec check --json`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attnspec.cli.common import UsageFault, counted
from attnspec.conformance.comparison import WORTH_TELLING, compare
from attnspec.conformance.comparison_model import Change, Comparison, Difference, Growth
from attnspec.conformance.report_model import Report
from attnspec.conformance.report_text import UnreadableReport, read_report

_SHOWN = 20  # lines of a kind
_LONGEST = 300  # characters of a line


def run(options: argparse.Namespace) -> int:
    """Print what changed; status 1 where something newly fails or errors."""
    first, second = _read(options.first), _read(options.second)
    found = compare(first, second, options.factor)
    if options.json:
        print(json.dumps(found.model_dump(mode="json"), indent=1))
    else:
        print(f"A: {options.first}: {_about(first)}\nB: {options.second}: {_about(second)}")
        for line in _lines(found, options.verbose):
            print(line)
    return 1 if found.worse else 0


def _read(name: str) -> Report:
    try:
        return read_report(Path(name).read_bytes())
    except OSError as error:
        raise UsageFault(f"{name}: cannot be read: {error.strerror}") from None
    except UnreadableReport as fault:
        raise UsageFault(f"{name}: no report of `attnspec check --json`: {fault}") from None


def _about(report: Report) -> str:
    name = f"{report.target.name} {report.target.version}".strip()
    cases = counted(len(report.cases), "case")
    return f"{name}, {report.options.level}, {report.options.dtype}, {cases}, {report.started}"


def _lines(found: Comparison, verbose: bool) -> Iterator[str]:
    kinds: Mapping[str, Sequence[str]] = {
        "the runs differ in": [_difference(difference) for difference in found.differences],
        "newly fails or errors in B": [_change(change) for change in found.worse],
        "passes in B and did not in A": [_change(change) for change in found.better],
        "other verdicts that changed": [_change(change) for change in found.other],
        f"more than {found.factor:g} times the share of a bound, from {WORTH_TELLING:.0%} on": [
            *map(_growth, found.grown)
        ],
        "only in A": [f"{case}: {verdict}" for case, verdict in found.only_first.items()],
        "only in B": [f"{case}: {verdict}" for case, verdict in found.only_second.items()],
    }
    for title, lines in kinds.items():
        if lines:
            yield f"\n{title} ({len(lines):,})"
            shown = len(lines) if verbose else _SHOWN
            yield from (f"  {line if len(line) <= _LONGEST else line[:_LONGEST] + '…'}" for line in lines[:shown])
            if len(lines) > shown:
                yield f"  and {len(lines) - shown:,} more; -v or --json has them all"
    cases = counted(found.in_both, "case")
    yield f"\n{cases} in both, of which {found.bad_in_both:,} fail or error in both; {_verdict(found)}"


def _verdict(found: Comparison) -> str:
    if found.worse:
        cases = len({change.case for change in found.worse})
        return f"{counted(cases, 'case')} got worse"
    changed = found.better or found.other or found.only_first or found.only_second or found.grown
    return "nothing got worse" if changed else "no verdict changed"


def _difference(difference: Difference) -> str:
    first, second = (value[:60] or "none" for value in (difference.first, difference.second))
    return f"{difference.what}: {first} in A, {second} in B"


def _change(change: Change) -> str:
    parts = f"{change.case} {', '.join(change.parts)}: {change.first} -> {change.second}"
    return f"{parts}: {change.why}" if change.why else parts


def _growth(growth: Growth) -> str:
    return f"{growth.case} {growth.part}: {growth.first:.2%} -> {growth.second:.2%}"
