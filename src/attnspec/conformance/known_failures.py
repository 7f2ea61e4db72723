"""Known failures: what is excused, and where a list of them no longer says what is true (conformance)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from attnspec.conformance.verdicts import CaseReport, Part, Verdict, worst
from attnspec.corpus.faults import Fault
from attnspec.corpus.legible import legible
from attnspec.corpus.mismatch import Mismatch

_LONGEST_REASON = 100  # characters of a finding that becomes a reason


@dataclass(frozen=True)
class KnownFailure:
    """One entry of a list.

    Args:
        pattern: a case id, or a glob of them, and after a `#` the same for a part.
        reason: why it fails.
        link: where more is said about it.
        until: the last day on which it excuses anything.
        path, line, column: where it stands.
    """

    pattern: str
    reason: str
    link: str = ""
    until: date | None = None
    path: Path = Path()
    line: int = 1
    column: int = 1

    @property
    def case(self) -> str:
        return self.pattern.partition("#")[0]

    @property
    def part(self) -> str:
        return self.pattern.partition("#")[2]

    @property
    def is_glob(self) -> bool:
        return any(character in self.case for character in "*?[")

    @property
    def said(self) -> str:
        """The reason, with the link and the date where there are any."""
        more = ", ".join(filter(None, (self.link, f"until {self.until}" if self.until else "")))
        return f"{self.reason} ({more})" if more else self.reason

    def is_past(self, today: date) -> bool:
        return self.until is not None and self.until < today

    def covers(self, part: str) -> bool:
        return not self.part or fnmatchcase(part, self.part)

    def units(self, report: CaseReport) -> list[tuple[str, Verdict]]:
        """What it says of one case that it names: that the case fails, or each part that it matches."""
        parts = [part for part in report.parts if self.covers(part.name)]
        if self.part:
            return [(f"{report.case}#{part.name}", part.verdict) for part in parts]
        return [(report.case, worst(part.verdict for part in parts))]

    def fault(self, message: str) -> Fault:
        return Fault(self.path, self.line, self.column, f"{self.pattern}: {message}")


class KnownFailures:
    """The entries of a list, found by the case that they name."""

    def __init__(self, entries: Iterable[KnownFailure] = (), today: date | None = None) -> None:
        self.entries = tuple(entries)
        self.today = today or date.today()
        self._exact: dict[str, list[KnownFailure]] = defaultdict(list)
        for entry in self.entries:
            if not entry.is_glob:
                self._exact[entry.case].append(entry)
        self._globs = [entry for entry in self.entries if entry.is_glob]

    def of(self, case: str) -> list[KnownFailure]:
        """Return the entries that name a case; those that name it alone come first."""
        return [*self._exact.get(case, ()), *(entry for entry in self._globs if fnmatchcase(case, entry.case))]

    def mark(self, report: CaseReport) -> CaseReport:
        """Return the report with a reason beside each failed part that an entry excuses today."""
        excuses = [entry for entry in self.of(report.case) if not entry.is_past(self.today)]
        return replace(report, parts=tuple(_marked(part, excuses) for part in report.parts)) if excuses else report

    def unexpected_passes(self, reports: Iterable[CaseReport]) -> list[Fault]:
        """Return a fault for each entry that names something that passed."""
        return [_unexpected(entry, passed) for entry, passed in self._passed(reports).items()]

    def stale_entries(self, reports: Sequence[CaseReport], cases: Collection[str]) -> list[Fault]:
        """Return a fault for each entry that is past its date, or names nothing that could fail.

        Args:
            reports: what was asked; of other cases nothing is said.
            cases: the ids of the whole corpus.
        """
        asked = {report.case: report for report in reports}
        stale = ((entry, self._staleness(entry, asked, cases)) for entry in self.entries)
        return [entry.fault(message) for entry, message in stale if message]

    def renewed(self, reports: Sequence[CaseReport], cases: Collection[str]) -> list[KnownFailure]:
        """Return the entries under which the same run has no failure that is not known, by name.

        Entries that still hold stay, without a date that has passed; each other failure gets an entry of its own.
        """
        current = [replace(entry, until=None) if entry.is_past(self.today) else entry for entry in self.entries]
        known = KnownFailures(current, self.today)
        asked = {report.case: report for report in reports}
        passed = known._passed(reports)
        kept = [entry for entry in current if entry not in passed and not known._staleness(entry, asked, cases)]
        holding = KnownFailures(kept, self.today)
        new = [
            _entry(report.case, part, known.of(report.case))
            for report in map(holding.mark, reports)
            for part in report.parts
            if part.is_bad and not part.known
        ]
        return sorted([*kept, *new], key=lambda entry: entry.pattern)

    def _passed(self, reports: Iterable[CaseReport]) -> dict[KnownFailure, list[str]]:
        """Entries, each with what it names that passed."""
        passed: dict[KnownFailure, list[str]] = defaultdict(list)
        for report in reports:
            for entry in self.of(report.case):
                for unit, verdict in entry.units(report):
                    if verdict is Verdict.PASSED:
                        passed[entry].append(unit)
        return passed

    def _staleness(self, entry: KnownFailure, asked: dict[str, CaseReport], cases: Collection[str]) -> str:
        if entry.is_glob:
            named = [case for case in cases if fnmatchcase(case, entry.case)]
        else:
            named = [entry.case] if entry.case in cases else []
        if not named:
            near = "" if entry.is_glob else _nearest(entry.case, cases)
            return f"no case of the corpus has this id; {f'{near} has' if near else '`attnspec list` has them all'}"
        if entry.is_past(self.today):
            return f"was known to fail until {entry.until}, which is past; mend it, or give it another date"
        if not all(case in asked for case in named):
            return ""
        verdicts = [verdict for case in named for _, verdict in entry.units(asked[case])]
        if not verdicts:
            parts = dict.fromkeys(part.name for case in named for part in asked[case].parts)
            return f"there is no such part; there are {', '.join(parts)}"
        return "it was skipped, so it does not fail; take the entry out" if set(verdicts) == {Verdict.SKIPPED} else ""


def _nearest(case: str, cases: Collection[str]) -> str:
    """Return the id that comes nearest, looked for in the nearest topic alone; empty where none is near."""
    topics = sorted({one.partition("/")[0] for one in cases})
    for topic in get_close_matches(case.partition("/")[0], topics, n=1):
        for near in get_close_matches(case, [one for one in cases if one.startswith(f"{topic}/")], n=1):
            return near
    return ""


def _marked(part: Part, excuses: Iterable[KnownFailure]) -> Part:
    if not part.is_bad:
        return part
    return next((replace(part, known=entry.said) for entry in excuses if entry.covers(part.name)), part)


def _unexpected(entry: KnownFailure, passed: list[str]) -> Fault:
    others = "" if len(passed) == 1 else f" and {len(passed) - 1} more that it names"
    which = "it" if passed == [entry.pattern] else f"{passed[0]}{others}"
    return entry.fault(f"{which} passed, though known to fail; mend the list")


def _entry(case: str, part: Part, former: Iterable[KnownFailure]) -> KnownFailure:
    """Return an entry for a failed part, in the words of the entry that it takes the place of."""
    pattern = f"{case}#{part.name}"
    for entry in former:
        if entry.covers(part.name):
            return replace(entry, pattern=pattern)
    return KnownFailure(pattern, _reason(part))


def _reason(part: Part) -> str:
    """Return the first finding in short: where it is, what was expected, what came."""
    first = part.findings[0] if part.findings else part.verdict.value
    if isinstance(first, Mismatch):
        first = Mismatch(first.tensor, first.index, first.expected, first.got)
    text = legible(str(first))
    return text if len(text) <= _LONGEST_REASON else f"{text[: _LONGEST_REASON - 1]}…"
