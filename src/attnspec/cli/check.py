"""`attnspec check`: hold a target to the specification."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from attnspec import __version__
from attnspec.cli.common import UsageFault, open_corpus, selected_fixtures, warn_of_other_checkout
from attnspec.cli.progress import track
from attnspec.cli.summary import print_summary
from attnspec.conformance import runner
from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.profiles import PROFILES, choose_profiles
from attnspec.conformance.report import exit_status, to_json
from attnspec.corpus.fixture import Fixture
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.reference import Reference


def run(options: argparse.Namespace) -> int:
    """Check the target, print what was found, and return the exit status."""
    profiles = _profiles(options)
    corpus = open_corpus(options)
    if options.corpus is None:
        warn_of_other_checkout(corpus)
    try:
        check_machine()
    except MachineError as error:
        raise UsageFault(str(error)) from None
    target = Reference()
    count = sum(1 for _ in corpus.paths())
    fixtures = _in_profiles(selected_fixtures(corpus, options.selection), profiles)
    reports = list(track(runner.run(fixtures, target, GoldenJudge(), corpus.read), count, "cases"))
    identity = {"path": str(corpus.root), "cases": count, "hash": corpus.hash()}
    if options.json:
        document = to_json({"name": target.name, "version": __version__, "level": "bits"}, identity, reports)
        _write_json(options.json, document)
    if options.json != "-":
        print_summary(
            reports, target.name, "bits", identity, [name for name in PROFILES if name not in profiles], options.verbose
        )
    return exit_status(reports)


def _profiles(options: argparse.Namespace) -> tuple[str, ...]:
    unknown = [name for name in options.profile if name != "all" and name not in PROFILES]
    if unknown:
        raise UsageFault(f"--profile {unknown[0]}: no such profile; known: {', '.join(PROFILES)}, all")
    if options.target is not None:
        raise UsageFault(f"{options.target}: only the reference can be checked so far; give no target")
    return choose_profiles(options.profile, is_reference=True)


def _in_profiles(fixtures: Iterator[Fixture], profiles: tuple[str, ...]) -> Iterator[Fixture]:
    return (fixture for fixture in fixtures if fixture.profile in profiles)


def _write_json(place: str, document: dict[str, object]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if place == "-":
        sys.stdout.write(text)
        return
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageFault(f"--json {place}: cannot be written: {error.strerror}") from None
