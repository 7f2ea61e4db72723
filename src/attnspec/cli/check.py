"""`attnspec check`: hold a target to the specification."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from contextlib import suppress
from pathlib import Path

from attnspec import __version__
from attnspec.cli.common import UsageFault, nothing_found, open_corpus, selected_fixtures, warn_of_other_checkout
from attnspec.cli.progress import track
from attnspec.cli.summary import Run, print_summary
from attnspec.conformance import runner
from attnspec.conformance.judges import GoldenJudge, Judge
from attnspec.conformance.process_target import ProcessTarget
from attnspec.conformance.profiles import PROFILES, choose_profiles
from attnspec.conformance.report import exit_status, to_json
from attnspec.conformance.rounding import Rounding
from attnspec.conformance.target import Target, TargetFault
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.loading import load_any
from attnspec.targets.reference import Reference


def run(options: argparse.Namespace) -> int:
    """Check the target, print what was found, and return the exit status."""
    profiles = _profiles(options)
    corpus = open_corpus(options)
    if options.corpus is None:
        warn_of_other_checkout(corpus)
    _check_machine()
    target, judge, level = _target_and_judge(options)
    fixtures = (fixture for fixture in selected_fixtures(corpus, options.selection) if fixture.profile in profiles)
    try:
        reports = list(track(runner.run(fixtures, target, judge, corpus.read), len(corpus), "cases"))
    finally:
        if isinstance(target, ProcessTarget):
            target.close()
    identity = {"path": str(corpus.root), "cases": len(corpus), "hash": corpus.hash()}
    with suppress(BrokenPipeError):  # a reader that had enough changes nothing about the status
        if options.json:
            document = to_json(_identity(target, level), identity, reports)
            _write_json(options.json, document)
        if options.json != "-":
            not_run = tuple(name for name in PROFILES if name not in profiles)
            print_summary(
                Run(target.declaration.name, _said(target, level), identity, not_run, tuple(reports)), options.verbose
            )
    if not reports:
        raise nothing_found(corpus, options.selection, profiles)
    return exit_status(reports)


def _profiles(options: argparse.Namespace) -> tuple[str, ...]:
    unknown = [name for name in options.profile if name != "all" and name not in PROFILES]
    if unknown:
        raise UsageFault(f"--profile {unknown[0]}: no such profile; known: {', '.join(PROFILES)}, all")
    return choose_profiles(options.profile, is_reference=options.target is None)


def _target_and_judge(options: argparse.Namespace) -> tuple[Target, Judge, str]:
    if options.target is None:
        if options.level == "bound":
            raise UsageFault("--level bound: the reference is held to bits; bounds are for other targets")
        return Reference(), GoldenJudge(), "bits"
    level = options.level or "bound"
    try:
        target = _open(options)
    except TargetFault as fault:
        raise UsageFault(str(fault)) from None
    rounding = Rounding(exp_ulps=target.declaration.exp_ulps)
    judge = TruthJudge(Reference().answer, level, rounding, options.require_repeatable)
    return target, judge, level


def _open(options: argparse.Namespace) -> Target:
    """Return the target in a process of its own, or in this one where that was asked."""
    text: str = options.target
    if text.startswith("cmd:"):
        return ProcessTarget(shlex.split(text.removeprefix("cmd:")), options.timeout)
    if options.in_process:
        return load_any(text)
    return ProcessTarget([sys.executable, "-m", "attnspec.targets.serve", text], options.timeout)


def _said(target: Target, level: str) -> str:
    """Return the level, with what the target declared in its own favour."""
    ulps = target.declaration.exp_ulps
    return level if level == "bits" or ulps == 2.0 else f"{level}, its exponential within {ulps:g} ulps as it declares"


def _identity(target: Target, level: str) -> dict[str, object]:
    """Return what a report says of the target, and what it was held to."""
    declared = target.declaration
    about: dict[str, object] = {"name": declared.name, "version": declared.version, "level": level}
    return about | ({"exp_ulps": declared.exp_ulps} if level == "bound" else {}) | {"checked_by": __version__}


def _check_machine() -> None:
    try:
        check_machine()
    except MachineError as error:
        raise UsageFault(str(error)) from None


def _write_json(place: str, document: dict[str, object]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    if place == "-":
        sys.stdout.write(text)
        return
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageFault(f"--json {place}: cannot be written: {error.strerror}") from None
