"""What `attnspec check` prints of each failure, which clauses they have in common, and what was known to fail."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.console import Console
from rich.markup import escape

from attnspec.cli.tables import STYLES
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport, Part, Verdict
from attnspec.corpus.legible import legible
from attnspec.corpus.mismatch import Mismatch
from attnspec.corpus.store import Clause

_LONGEST = 500  # characters of one finding
_SHOWN_FINDINGS = 4
_SHOWN_FAILURES = 20  # in full
_NAMED_FAILURES = 100  # by name alone
_SHOWN_CLAUSES = 8
_SHOWN_KNOWN = 20
_LONGEST_REASON = 160  # characters, of one case

Clauses = Callable[[], Mapping[str, Clause]]


def print_failures(
    console: Console, reports: Sequence[CaseReport], clauses: Clauses, verbose: bool, width: int
) -> None:
    """Print the first failures in full, some more by name, how many there are beyond, and the clauses they cite."""
    failures = [report for report in reports if _is_new(report)]
    whole, named = (len(failures), 0) if verbose else (_SHOWN_FAILURES, _NAMED_FAILURES)
    for report in failures[:whole]:
        print_failure(console, report)
    for report in failures[whole : whole + named]:
        console.print(f"[{STYLES[report.verdict]}]{report.verdict}[/] [bold]{escape(report.case)}[/]")
    if len(failures) > whole + named:
        console.print(f"and {len(failures) - whole - named} more; -v or --json FILE has them all")
    if len(failures) > whole:
        console.print()
    if failures:
        _print_clauses(console, reports, clauses(), width)


def _is_new(report: CaseReport) -> bool:
    return report.verdict in (Verdict.FAILED, Verdict.ERRORED) and not report.is_known


def print_failure(console: Console, report: CaseReport) -> None:
    """Print why a case exists, what it shows, and what was wrong."""
    console.print(f"[{STYLES[report.verdict]}]{report.verdict}[/] [bold]{escape(report.case)}[/]")
    console.print(f"  why it exists: {escape(' '.join(report.about.split()))}")
    console.print(f"  clauses: {', '.join(report.clauses)}")
    told: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for part in report.parts:
        if part.is_bad:
            told[tuple(_lines(part))].append(f"{part.name} (known: {part.known})" if part.known else part.name)
    for lines, names in told.items():  # what broke every part in the same way is told once
        for line in lines:
            console.print(f"  {escape(legible(', '.join(names)))}: {escape(line)}")
    console.print()


def _lines(part: Part) -> list[str]:
    """Return the first elements that differ, and the first of what was said beside them."""
    elements = [finding for finding in part.findings if isinstance(finding, Mismatch)]
    said = [finding for finding in part.findings if isinstance(finding, str)]
    shown = [*elements[:_SHOWN_FINDINGS], *said[:_SHOWN_FINDINGS]]
    more = len(part.findings) - len(shown)
    lines = [legible(str(finding), _LONGEST) for finding in shown]
    return [*lines, f"and {more:,} more findings"] if more else lines


def _print_clauses(console: Console, reports: Sequence[CaseReport], texts: Mapping[str, Clause], width: int) -> None:
    """Print the clauses of which the largest part of the cases failed: one that nothing passed says most."""
    asked = Counter(clause for report in reports if report.verdict is not Verdict.SKIPPED for clause in report.clauses)
    failed = Counter(clause for report in reports if _is_new(report) for clause in report.clauses)
    ranked = sorted(failed, key=lambda clause: (-failed[clause] / asked[clause], -failed[clause]))[:_SHOWN_CLAUSES]
    counts = {clause: f"{failed[clause]} of {asked[clause]}" for clause in ranked}
    wide, high = max(map(len, ranked), default=0), max(map(len, counts.values()), default=0)
    console.print("clauses, by the part of their cases that failed; spec/ has their text")
    for clause in ranked:
        text = " ".join(texts[clause].text.split()) if clause in texts else ""
        line = f"  {clause:{wide}}  {counts[clause]:>{high}}  {text}"
        console.print(escape(line if len(line) <= width else f"{line[: width - 1]}…"))
    console.print("attnspec show CASE prints a case with all that was to come out\n")


def print_known(console: Console, run: Run, verbose: bool) -> None:
    """Print what failed as is known, each with its reason, and where the list is not true."""
    known = [_known_line(report) for report in run.reports if report.is_known]
    _print_some(console, "known to fail", known, verbose)
    _print_some(console, "[bold red]the list of known failures is not true[/]", map(legible, run.untrue), verbose)


def _print_some(console: Console, head: str, lines: Iterable[str], verbose: bool) -> None:
    every = list(lines)
    shown = every if verbose else every[:_SHOWN_KNOWN]
    if not every:
        return
    console.print(head)
    for line in shown:
        console.print(f"  {escape(line)}")
    if len(every) > len(shown):
        console.print(f"  and {len(every) - len(shown):,} more; -v has them all")
    console.print()


def _known_line(report: CaseReport) -> str:
    parts = [part for part in report.parts if part.known]
    reasons = dict.fromkeys(part.known for part in parts)
    return f"{report.case} ({', '.join(part.name for part in parts)}): {legible('; '.join(reasons), _LONGEST_REASON)}"
