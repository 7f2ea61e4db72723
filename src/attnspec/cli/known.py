"""`--known-failures FILE` and `--write-known-failures FILE`: read before the run, settled after it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from attnspec.cli.common import UsageFault, counted
from attnspec.conformance.known_failures import KnownFailures
from attnspec.conformance.verdicts import CaseReport
from attnspec.corpus.store import Corpus


def open_known_failures(name: str | None) -> KnownFailures:
    """Return the list in a file, or an empty one where none was named.

    Raises:
        UsageFault: it cannot be read, or is no such list.
    """
    if name is None:
        return KnownFailures()
    from attnspec.conformance.known_failures_file import ListFaults, read

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
    from attnspec.conformance.known_failures_file import TooManyFailures, write

    entries = known.renewed(reports, case_ids(corpus))
    try:
        write(Path(name), entries)
    except TooManyFailures as error:
        raise UsageFault(f"--write-known-failures {name}: {error}") from None
    except OSError as error:
        raise UsageFault(f"--write-known-failures {name}: cannot be written: {error.strerror}") from None
    return [f"{name}: {counted(len(entries), 'known failure')} written"]


def case_ids(corpus: Corpus) -> dict[str, None]:
    return dict.fromkeys(map(corpus.case_id, corpus.paths()))
