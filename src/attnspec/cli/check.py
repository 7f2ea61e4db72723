"""`attnspec check`: hold a target to the specification."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from pathlib import Path

from attnspec.cli.common import UsageFault, nothing_found, open_corpus, selected_fixtures, warn_of_other_checkout
from attnspec.cli.progress import track
from attnspec.cli.setup import prepare
from attnspec.cli.summary import Run, print_summary
from attnspec.conformance import runner
from attnspec.conformance.report import exit_status, to_json


def run(options: argparse.Namespace) -> int:
    """Check the target, print what was found, and return the exit status."""
    corpus = open_corpus(options)
    if options.corpus is None:
        warn_of_other_checkout(corpus)
    setup = prepare(options)
    fixtures = (
        fixture for fixture in selected_fixtures(corpus, options.selection) if fixture.profile in setup.profiles
    )
    try:
        reports = list(track(runner.run(fixtures, setup.target, setup.judge, corpus.read), len(corpus), "cases"))
    finally:
        setup.close()
    identity = {"path": str(corpus.root), "cases": len(corpus), "hash": corpus.hash()}
    with suppress(BrokenPipeError):  # a reader that had enough changes nothing about the status
        if options.json:
            _write_json(options.json, to_json(setup.identity, identity, reports))
        if options.json != "-":
            name = setup.target.declaration.name
            print_summary(Run(name, setup.said, identity, setup.not_run, tuple(reports)), options.verbose)
    if not reports:
        raise nothing_found(corpus, options.selection, setup.profiles)
    return exit_status(reports)


def _write_json(place: str, document: dict[str, object]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if place == "-":
        sys.stdout.write(text)
        return
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageFault(f"--json {place}: cannot be written: {error.strerror}") from None
