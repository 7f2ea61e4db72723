"""`attnspec check`: hold a target to the specification."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime

from attnspec.cli.asking import ask
from attnspec.cli.common import nothing_found, open_corpus, selected_places, warn_of_other_checkout
from attnspec.cli.files import check_places, kept_for_report, takes_standard_output, write_reports
from attnspec.cli.known import check_place_of_list, faults_of_list, open_known_failures, write_list
from attnspec.cli.prepare import prepare
from attnspec.cli.setup import Setup
from attnspec.conformance.report import EXIT_FAILED, exit_status
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport, Sharing

INTERRUPTED = 130


def run(options: argparse.Namespace, executor: Executor | None = None) -> int:
    """Check the target, print what was found, and return the exit status; an executor asks in our place."""
    check_places(options)
    check_place_of_list(options)
    known = open_known_failures(options.known_failures)
    corpus = open_corpus(options)
    if options.corpus is None:
        warn_of_other_checkout(corpus)
    places = selected_places(corpus, options.selection)
    with kept_for_report(options), ThreadPoolExecutor(1) as beside:
        setup = prepare(options)
        started, start = datetime.now(UTC), time.monotonic()
        corpus_hash = beside.submit(corpus.hash)  # takes a while with thousands of cases, and waits for nothing
        asked, interrupted = _all_until_interrupt(setup, ask(setup, corpus, places, options, executor))
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
        corpus_hash.result(),
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
        if reports and not takes_standard_output(options):
            from attnspec.cli.summary import print_summary  # of the libraries that print, nothing earlier has any use

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


def _all_until_interrupt(setup: Setup, answers: Generator[CaseReport, None, None]) -> tuple[list[CaseReport], bool]:
    """Return what became of the cases, and whether somebody had enough before the last one."""
    reports: list[CaseReport] = []
    try:
        with closing(answers):
            for report in map(Sharing(), answers):
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
