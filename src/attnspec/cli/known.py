"""`--known-failures FILE` and `--write-known-failures FILE`: read before the run, settled after it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from attnspec.cli.common import UsageFault, counted
from attnspec.conformance.known_failures import KnownFailures
from attnspec.conformance.known_failures_file import ListFaults, TooManyFailures, read, write
from attnspec.conformance.legible import legible
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport
from attnspec.corpus.store import Corpus

_SHOWN = 20
_LONGEST = 160  # characters of the reasons of one case


def open_known_failures(name: str | None) -> KnownFailures:
    """Return the list in a file, or an empty one where none was named.

    Raises:
        UsageFault: it cannot be read, or is no such list.
    """
    if name is None:
        return KnownFailures()
    try:
        return KnownFailures(read(Path(name)))
    except ListFaults as faults:
        raise UsageFault(str(faults)) from None
    except OSError as error:
        raise UsageFault(f"--known-failures {name}: cannot be read: {error.strerror}") from None


def check_place_of_list(options: argparse.Namespace) -> None:
    """Refuse, before anything is asked, to write over a file that was not read."""
    name: str | None = options.write_known_failures
    if name is None:
        return
    place, read_from = Path(name), options.known_failures
    if not place.absolute().parent.is_dir():
        raise UsageFault(f"--write-known-failures {name}: there is no such folder")
    if place.exists() and not (read_from and Path(read_from).exists() and place.samefile(read_from)):
        raise UsageFault(
            f"--write-known-failures {name}: the file exists; give it to --known-failures too, or name another"
        )


def faults_of_list(known: KnownFailures, reports: Sequence[CaseReport], corpus: Corpus) -> list[str]:
    """Return where the list no longer says what is true, a line each."""
    if not known.entries:
        return []
    faults = [*known.unexpected_passes(reports), *known.stale_entries(reports, case_ids(corpus))]
    return [str(fault) for fault in sorted(faults, key=lambda fault: fault.line)]


def write_list(
    options: argparse.Namespace, known: KnownFailures, reports: Sequence[CaseReport], corpus: Corpus
) -> list[str]:
    """Write what fails as a list, where that was asked, and return a line that says so."""
    name: str | None = options.write_known_failures
    if name is None:
        return []
    entries = known.renewed(reports, case_ids(corpus))
    try:
        write(Path(name), entries)
    except TooManyFailures as error:
        raise UsageFault(f"--write-known-failures {name}: {error}") from None
    except OSError as error:
        raise UsageFault(f"--write-known-failures {name}: cannot be written: {error.strerror}") from None
    return [f"{name}: {counted(len(entries), 'known failure')} written"]


def print_known(console: Console, run: Run, verbose: bool) -> None:
    """Print what failed as is known, each with its reason, and where the list is not true."""
    known = [_known_line(report) for report in run.reports if report.is_known]
    _print_some(console, "known to fail", known, verbose)
    _print_some(console, "[bold red]the list of known failures is not true[/]", map(legible, run.untrue), verbose)


def _print_some(console: Console, head: str, lines: Iterable[str], verbose: bool) -> None:
    every = list(lines)
    shown = every if verbose else every[:_SHOWN]
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
    return f"{report.case} ({', '.join(part.name for part in parts)}): {legible('; '.join(reasons), _LONGEST)}"


def case_ids(corpus: Corpus) -> dict[str, None]:
    return dict.fromkeys(map(corpus.case_id, corpus.paths()))
