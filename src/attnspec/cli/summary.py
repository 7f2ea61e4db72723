"""What `attnspec check` prints for a person."""

from __future__ import annotations

import io
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.markup import escape

from attnspec import __version__
from attnspec.cli.common import counted
from attnspec.cli.failures import print_failures, print_known
from attnspec.cli.folding import FoldingConsole
from attnspec.cli.likely import print_likely_bugs
from attnspec.cli.tables import STYLES, verdict_tables
from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.report import count_apart
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport, Part, Verdict
from attnspec.corpus.legible import legible

_WIDTH = 120  # of what is cut, in a file or a pipe
_NARROWEST = 80
_WIDEST = 2**20  # ulps: wider are bounds beside zero, and of terms that cancel


def print_summary(run: Run, level: str, verbose: bool) -> None:
    """Print a table by topic and profile, every failure with its reason, and what was not run.

    Args:
        run: what is told.
        level: how equal is equal, with what the target declared in its own favour.
        verbose: a line for every case, and every failure in full.
    """
    text = io.StringIO()
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if is_terminal else None
    width = _WIDTH if columns is None else min(_WIDTH, max(_NARROWEST, columns))
    console = FoldingConsole(text, columns, _WIDTH)
    console.print(f"attnspec {__version__}: {escape(legible(run.declared.name))}, level {level}")
    console.print(
        f"corpus: {escape(str(run.corpus.root))}, {counted(len(run.corpus), 'case')}, hash {run.corpus_hash[:16]}"
    )
    for report in run.reports if verbose else ():
        console.print(_case_line(report))
    for table in verdict_tables(run.reports):
        console.print(table)
        console.print()
    print_failures(console, run.reports, run.corpus.clauses, verbose, width)
    print_likely_bugs(console, run.likely_bugs)
    print_known(console, run, verbose)
    counts = count_apart(run.reports)
    told = ", ".join(f"{counts[name]:,} {name}" for name in STYLES if counts[name])
    style = "bold red" if run.untrue else _overall_style(counts)
    console.print(f"{counted(len(run.reports), 'case')}: {told}{_share(run.reports)}", style=style)
    for line in _quietly_different(run.reports):
        console.print(line, style="yellow")
    if run.untrue:
        console.print(
            f"{counted(len(run.untrue), 'fault')} of the list of known failures, told above", style="bold red"
        )
    if run.interrupted:
        console.print("interrupted: the cases above are those that were asked until then", style="bold yellow")
    for name in run.not_run:
        console.print(f"not run: profile {name} ({PROFILES[name]})")
    print(text.getvalue(), end="")


def _quietly_different(reports: Sequence[CaseReport]) -> Iterator[str]:
    """Say what no verdict shows: gradients that could not be asked, and runs that differed within their bounds."""
    parts = [part for report in reports if report.verdict is not Verdict.SKIPPED for part in report.parts]
    lacking = Counter(part.remark for part in parts if part.name == "gradients" and part.verdict is Verdict.SKIPPED)
    for reason, count in lacking.most_common(3):
        yield f"gradients of {counted(count, 'case')} not compared: {escape(legible(reason))}"
    unsteady = sum(part.name == "replay" and "two runs differ" in part.remark for part in parts)
    if unsteady:
        yield f"two runs of {counted(unsteady, 'case')} differed, within the bound: see --require-repeatable"


def _share(reports: Sequence[CaseReport]) -> str:
    """Say how much of its error bounds the target used at most, and where, if there were bounds."""
    parts = [(part, report.case) for report in reports for part in report.parts if part.share]
    if not parts:
        return ""
    part, case = max(parts, key=lambda found: found[0].share or 0.0)
    used, *ulps = _used(part)
    return f"; at most {used} was used ({', '.join([*ulps, escape(case)])})"


def _used(part: Part) -> list[str]:
    """Say what share of a bound was used and, unless the bound is too many of them wide to tell anything, the ulps."""
    if part.share is None:
        return []
    share, ulps = f"{part.share:.1%} of a bound", part.ulps or 0
    return [share, counted(ulps, "ulp")] if ulps <= _WIDEST * part.share else [share]


def _case_line(report: CaseReport) -> str:
    parts = ", ".join(map(_part, report.parts))
    return f"[{STYLES[report.verdict]}]{report.verdict:7}[/] {escape(report.case)}  [dim]{escape(parts)}[/]"


def _part(part: Part) -> str:
    used = ", ".join(_used(part))
    known = f"known: {part.known}" if part.known else ""
    beside = legible("; ".join(filter(None, (used, known, part.remark))))
    return f"{part.name} {part.verdict}" + (f" ({beside})" if beside else "")


def _overall_style(counts: dict[str, int]) -> str:
    if counts["failed"] or counts["errored"]:
        return "bold red"
    return "bold green" if counts["passed"] or counts["known"] else "bold yellow"
