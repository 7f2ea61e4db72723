"""`attnspec check`: hold a target to the specification."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime

from attnspec.cli.common import nothing_found, open_corpus, selected_fixtures, warn_of_other_checkout
from attnspec.cli.files import check_places, takes_standard_output, write_reports
from attnspec.cli.known import check_place_of_list, faults_of_list, open_known_failures, write_list
from attnspec.cli.progress import track
from attnspec.cli.setup import Setup, prepare
from attnspec.cli.summary import print_summary
from attnspec.conformance import runner
from attnspec.conformance.report import EXIT_FAILED, exit_status
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport
from attnspec.corpus.store import Corpus

INTERRUPTED = 130


def run(options: argparse.Namespace) -> int:
    """Check the target, print what was found, and return the exit status."""
    check_places(options)
    check_place_of_list(options)
    known = open_known_failures(options.known_failures)
    corpus = open_corpus(options)
    if options.corpus is None:
        warn_of_other_checkout(corpus)
    setup = prepare(options)
    started, start = datetime.now(UTC), time.monotonic()
    asked, interrupted = _ask(setup, corpus, options.selection)
    reports = [known.mark(report) for report in asked]
    untrue = [] if interrupted else faults_of_list(known, reports, corpus)
    done = Run(
        setup.target.declaration,
        setup.level,
        setup.dtype,
        setup.profiles,
        options.selection or "",
        options.require_repeatable,
        corpus,
        corpus.hash(),
        tuple(reports),
        started,
        time.monotonic() - start,
        interrupted,
        tuple(untrue),
    )
    try:
        with suppress(BrokenPipeError):  # a reader that had enough changes nothing about the status
            write_reports(options, done)
    finally:
        if not takes_standard_output(options):
            with suppress(BrokenPipeError):
                print_summary(done, setup.said, options.verbose)
    if interrupted:
        return INTERRUPTED
    if not reports:
        raise nothing_found(corpus, options.selection, setup.profiles)
    written = write_list(options, known, reports, corpus)
    if sys.stderr is not None:
        for line in [*(untrue if takes_standard_output(options) else ()), *written]:
            print(line, file=sys.stderr)
    return EXIT_FAILED if untrue else exit_status(reports)


def _ask(setup: Setup, corpus: Corpus, selection: str | None) -> tuple[list[CaseReport], bool]:
    """Return what became of the cases, and whether somebody had enough before the last one."""
    fixtures = (fixture for fixture in selected_fixtures(corpus, selection) if fixture.profile in setup.profiles)
    reports: list[CaseReport] = []
    try:
        for report in track(runner.run(fixtures, setup.target, setup.judge, corpus.read), len(corpus), "cases"):
            reports.append(report)
    except KeyboardInterrupt:
        if not reports:
            raise
        if sys.stderr is not None:
            print("interrupted", file=sys.stderr)
        return reports, True
    finally:
        setup.close()
    return reports, False
