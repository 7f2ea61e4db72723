"""What `attnspec check` prints for a person."""

from __future__ import annotations

import io
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from attnspec import __version__
from attnspec.cli.common import counted
from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.report import count_verdicts
from attnspec.conformance.verdicts import CaseReport, Part, Verdict

_STYLES = {"passed": "green", "failed": "bold red", "errored": "bold magenta", "skipped": "yellow"}
_BAD = (Verdict.FAILED, Verdict.ERRORED)
_SHOWN_FINDINGS = 4
_SHOWN_FAILURES = 20  # in full
_NAMED_FAILURES = 100  # by name alone
_WIDTH = 120  # of the table, whatever the terminal's; a terminal folds what it cannot show


@dataclass(frozen=True)
class Run:
    """What was run, on what, and what came of it."""

    target: str
    level: str
    corpus: dict[str, Any]
    not_run: tuple[str, ...]
    reports: tuple[CaseReport, ...]


def print_summary(run: Run, verbose: bool) -> None:
    """Print a table by topic, every failure with its reason, and what was not run."""
    text = io.StringIO()
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    console = Console(file=text, highlight=False, soft_wrap=True, force_terminal=is_terminal, width=_WIDTH)
    console.print(f"attnspec {__version__}: {escape(run.target)}, level {run.level}")
    console.print(
        f"corpus: {escape(run.corpus['path'])}, {counted(run.corpus['cases'], 'case')}, hash {run.corpus['hash'][:16]}"
    )
    for report in run.reports if verbose else ():
        console.print(_case_line(report))
    if run.reports:
        console.print(_by_topic(run.reports))
    _print_failures(console, [report for report in run.reports if report.verdict in _BAD], verbose)
    counts = count_verdicts(run.reports)
    told = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing was asked"
    console.print(f"{counted(len(run.reports), 'case')}: {told}{_share(run.reports)}", style=_overall_style(counts))
    for name in run.not_run:
        console.print(f"not run: profile {name} ({PROFILES[name]})")
    print(text.getvalue(), end="")


def _share(reports: Sequence[CaseReport]) -> str:
    """Say how much of its error bounds the target used at most, where there were bounds."""
    parts = [part for report in reports for part in report.parts if part.share is not None]
    if not parts:
        return ""
    most = max(parts, key=lambda part: part.share or 0.0)
    return f"; at most {most.share:.1%} of a bound was used ({most.ulps:,} ulps)"


def _by_topic(reports: Sequence[CaseReport]) -> Table:
    topics: dict[str, list[CaseReport]] = defaultdict(list)
    for report in reports:
        topics[report.operation].append(report)
    table = Table("topic", box=None, pad_edge=False)
    for verdict in _STYLES:
        table.add_column(verdict, justify="right")
    for topic, of_topic in topics.items():
        counts = count_verdicts(of_topic)
        table.add_row(topic, *(_count(verdict, counts[verdict]) for verdict in _STYLES))
    return table


def _count(verdict: str, count: int) -> str:
    return f"[{_STYLES[verdict]}]{count}[/]" if count else "[dim]·[/]"


def _case_line(report: CaseReport) -> str:
    parts = ", ".join(
        f"{part.name} {part.verdict}" + (f" ({part.remark})" if part.remark else "") for part in report.parts
    )
    return f"[{_STYLES[report.verdict]}]{report.verdict:7}[/] {report.case}  [dim]{escape(parts)}[/]"


def _print_failures(console: Console, failures: Sequence[CaseReport], verbose: bool) -> None:
    """Print the first failures in full, some more by name, and how many there are beyond."""
    whole, named = (len(failures), 0) if verbose else (_SHOWN_FAILURES, _NAMED_FAILURES)
    for report in failures[:whole]:
        _print_failure(console, report)
    for report in failures[whole : whole + named]:
        console.print(f"[{_STYLES[report.verdict]}]{report.verdict}[/] [bold]{report.case}[/]")
    if len(failures) > whole + named:
        console.print(f"and {len(failures) - whole - named} more; -v or --json FILE has them all")


def _print_failure(console: Console, report: CaseReport) -> None:
    console.print(f"\n[{_STYLES[report.verdict]}]{report.verdict}[/] [bold]{report.case}[/]")
    console.print(f"  why it exists: {escape(' '.join(report.about.split()))}")
    console.print(f"  clauses: {', '.join(report.clauses)}")
    for part in report.parts:
        if part.verdict in (Verdict.FAILED, Verdict.ERRORED):
            _print_part(console, part)


def _print_part(console: Console, part: Part) -> None:
    for finding in part.findings[:_SHOWN_FINDINGS]:
        console.print(f"  {escape(part.name)}: {escape(str(finding))}")
    if len(part.findings) > _SHOWN_FINDINGS:
        console.print(f"  {escape(part.name)}: and {len(part.findings) - _SHOWN_FINDINGS} more findings")


def _overall_style(counts: dict[str, int]) -> str:
    if counts["failed"] or counts["errored"]:
        return "bold red"
    return "bold green" if counts["passed"] else "bold yellow"
