"""What changed between two reports: verdicts, shares of bounds, and the runs themselves (conformance)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from attnspec.conformance.comparison_model import Before, Change, Comparison, Difference, Growth
from attnspec.conformance.report_model import FORMAT, CaseResult, PartReport, Report, VerdictName

FACTOR = 2.0
WORTH_TELLING = 0.01  # of a bound; what grows below it is the noise of another order of sums

_BAD = ("failed", "errored")
_LIKE = ("target", "options", "corpus", "checked_by", "platform", "interrupted")


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
        format=FORMAT,
        factor=factor,
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
    before: dict[str, Before] = {} if old is None else {part.name: part.verdict for part in old.parts}
    missing: Before = "absent" if old is None else "skipped"
    alike: dict[tuple[Before, VerdictName, str], list[str]] = defaultdict(list)
    for part in new.parts:
        was = before.pop(part.name, missing)
        if was != part.verdict and (old is not None or part.verdict in _BAD):
            alike[was, part.verdict, _why(part)].append(part.name)
    for name, was in before.items():
        if was != "skipped":
            alike[was, "skipped", "not asked"].append(name)
    for (was, verdict, why), names in alike.items():
        yield Change(case=new.id, parts=tuple(names), first=was, second=verdict, why=why)


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
                yield Growth(case=new.id, part=part.name, first=was, second=now)


def _differences(first: Report, second: Report) -> Iterator[Difference]:
    one, two = _flat(first.model_dump(mode="json")), _flat(second.model_dump(mode="json"))
    for what, value in one.items():
        if value != two[what]:
            yield Difference(what=what, first=value, second=two[what])


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
