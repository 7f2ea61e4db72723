"""The files that `check` writes for machines: places that cannot be written are told before a long run, not after."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from attnspec.cli.common import UsageFault
from attnspec.cli.options import has_own_process

if TYPE_CHECKING:
    from attnspec.conformance.run import Run

STANDARD_OUTPUT = "-"


def check_places(options: argparse.Namespace) -> None:
    """Raise UsageFault where `--json` or `--junit` names no place for a file."""
    if options.json == options.junit == STANDARD_OUTPUT:
        raise UsageFault("--json - --junit -: one of them can have standard output")
    if takes_standard_output(options) and sys.stdout is None:
        raise UsageFault("a report is to go to standard output, which is closed; name a file")
    for option, place in _places(options):
        path = Path(place)
        if not place or path.is_dir() or not path.parent.is_dir():
            raise UsageFault(f"{option} {place!r}: cannot be written: the name of a file in a folder is expected")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageFault(f"{option} {place!r}: cannot be written: permission denied")


def takes_standard_output(options: argparse.Namespace) -> bool:
    """Say whether a report for machines goes to standard output, where nothing else may stand then."""
    return STANDARD_OUTPUT in (options.json, options.junit)


def kept_for_report(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Keep what a target prints in this process out of a report on standard output; it goes to standard error."""
    if has_own_process(options) or not takes_standard_output(options):
        return nullcontext()
    from attnspec.cli.aside import printing_aside

    return printing_aside()


def write_reports(options: argparse.Namespace, run: Run) -> None:
    """Write what `--json` and `--junit` ask for."""
    if options.json is not None:
        from attnspec.conformance.document import case_results, head
        from attnspec.conformance.report_text import report_lines

        _write("--json", options.json, report_lines(head(run), case_results(run)))
    if options.junit is not None:
        from attnspec.conformance.junit import junit

        _write("--junit", options.junit, [junit(run)])


def _places(options: argparse.Namespace) -> list[tuple[str, str]]:
    named = [("--json", options.json), ("--junit", options.junit)]
    return [(option, place) for option, place in named if place is not None and place != STANDARD_OUTPUT]


def _write(option: str, place: str, text: Iterable[str]) -> None:
    if place == STANDARD_OUTPUT:
        sys.stdout.writelines(text)
        return
    try:
        with open(place, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(text)
    except OSError as error:
        raise UsageFault(f"{option} {place!r}: cannot be written: {error.strerror}") from None
