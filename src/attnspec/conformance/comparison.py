"""What changed between two reports: verdicts, shares of bounds, and the runs themselves (conformance)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from attnspec.conformance.report_model import CaseResult, PartReport, Report

FACTOR = 2.0
WORTH_TELLING = 0.01  # of a bound; what grows below it is the noise of another order of sums

_BAD = ("failed", "errored")
_LIKE = ("target", "options", "corpus", "checked_by", "platform", "interrupted")


@dataclass(frozen=True)
class Difference:
    """What one report says of its run and the other says otherwise."""

    what: str
    first: str
    second: str


@dataclass(frozen=True)
class Change:
    """Parts of a case whose verdicts changed in the same way; a case that one report lacks is `absent` there."""

    case: str
    parts: tuple[str, ...]
    first: str
    second: str
    why: str


@dataclass(frozen=True)
class Growth:
    """A part that passed both times and came closer to its bound."""

    case: str
    part: str
    first: float
    second: float


@dataclass(frozen=True)
class Comparison:
    """What changed from the first report to the second.

    Args:
        differences: of the runs themselves, which may be why verdicts differ.
        worse: what newly fails or errors, in cases of both and in cases that the first lacks.
        better: what failed or errored and passes now.
        other: every other change of a verdict.
        grown: shares of bounds, the largest first.
        only_first: the verdicts of cases that the second lacks.
        only_second: the verdicts of cases that the first lacks.
        in_both: how many cases both have.
        bad_in_both: how many of those fail or error in both.
    """

    differences: tuple[Difference, ...]
    worse: tuple[Change, ...]
    better: tuple[Change, ...]
    other: tuple[Change, ...]
    grown: tuple[Growth, ...]
    only_first: Mapping[str, str]
    only_second: Mapping[str, str]
    in_both: int
    bad_in_both: int


def compare(first: Report, second: Report, factor: float = FACTOR) -> Comparison:
    """Return what changed.

    Args:
        first: what was.
        second: what is.
        factor: a share that grew to more than so many times what it was is told.
    """
    one, two = ({case.id: case for case in report.cases} for report in (first, second))
    both = [(case, two[name]) for name, case in one.items() if name in two]
    added = [case for name, case in two.items() if name not in one]
    changes = [change for pair in both for change in _changes(*pair)]
    changes += [change for case in added if case.verdict in _BAD for change in _changes(None, case)]
    grown = [growth for pair in both for growth in _growths(*pair, factor)]
    kinds: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        kinds[_kind(change)].append(change)
    return Comparison(
        differences=tuple(_differences(first, second)),
        worse=tuple(kinds["worse"]),
        better=tuple(kinds["better"]),
        other=tuple(kinds["other"]),
        grown=tuple(sorted(grown, key=lambda growth: -growth.second)),
        only_first={name: case.verdict for name, case in one.items() if name not in two},
        only_second={case.id: case.verdict for case in added},
        in_both=len(both),
        bad_in_both=sum(old.verdict in _BAD and new.verdict in _BAD for old, new in both),
    )


def _changes(old: CaseResult | None, new: CaseResult) -> Iterator[Change]:
    """Yield the changes of a case, those of one kind and cause together; a part that was not asked was skipped."""
    before = {} if old is None else {part.name: part.verdict for part in old.parts}
    missing = "absent" if old is None else "skipped"
    alike: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for part in new.parts:
        was = before.pop(part.name, missing)
        if was != part.verdict and (old is not None or part.verdict in _BAD):
            alike[was, part.verdict, _why(part)].append(part.name)
    for name, was in before.items():
        if was != "skipped":
            alike[was, "skipped", "not asked"].append(name)
    for (was, verdict, why), names in alike.items():
        yield Change(new.id, tuple(names), was, verdict, why)


def _why(part: PartReport) -> str:
    """Return what a part says of its verdict; of one that passes there is nothing to say."""
    if part.verdict in _BAD and part.findings:
        return part.findings[0].message + (f" (known: {part.known})" if part.known else "")
    return part.remark if part.verdict == "skipped" else ""


def _kind(change: Change) -> str:
    if change.second == "errored" or (change.second == "failed" and change.first not in _BAD):
        return "worse"
    return "better" if change.first in _BAD and change.second == "passed" else "other"


def _growths(old: CaseResult, new: CaseResult, factor: float) -> Iterator[Growth]:
    before = {part.name: part for part in old.parts if part.verdict == "passed"}
    for part in new.parts:
        if part.verdict == "passed" and part.name in before:
            was, now = before[part.name].share or 0.0, part.share or 0.0
            if now > factor * was and now >= WORTH_TELLING:
                yield Growth(new.id, part.name, was, now)


def _differences(first: Report, second: Report) -> Iterator[Difference]:
    one, two = _flat(first.model_dump(mode="json")), _flat(second.model_dump(mode="json"))
    for what, value in one.items():
        if value != two[what]:
            yield Difference(what, value, two[what])


def _flat(report: Mapping[str, Any]) -> dict[str, str]:
    """Return what a report says of its run, in words."""
    entries: dict[str, str] = {}
    for section in _LIKE:
        value = report[section]
        named = value.items() if isinstance(value, dict) else [("", value)]
        for name, told in named:
            entries[f"{section} {name}".strip().replace("_", " ")] = _worded(told)
    return entries


def _worded(told: object) -> str:
    if isinstance(told, bool):
        return "yes" if told else "no"
    return ", ".join(map(str, told)) if isinstance(told, list) else str(told)
