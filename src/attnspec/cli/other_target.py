"""Who else is asked than the reference, how it is reached, and who judges it."""

from __future__ import annotations

import argparse
import shlex
import sys

from attnspec.cli.common import UsageFault
from attnspec.cli.options import has_own_process
from attnspec.cli.setup import Setup
from attnspec.conformance.layout import WithHeadAxis
from attnspec.conformance.narrow import NarrowTarget
from attnspec.conformance.process_target import ProcessTarget
from attnspec.conformance.rounding import rounding_of
from attnspec.conformance.target import Declaration, Target, TargetFault
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.numeric.formats import FORMATS, dtype_named
from attnspec.targets.built_in import unavailable
from attnspec.targets.loading import load_any
from attnspec.targets.reference import Reference


def prepare_target(options: argparse.Namespace, profiles: tuple[str, ...]) -> Setup:
    """Return what the options ask of a target; one in a process of its own is started.

    Raises:
        UsageFault: they contradict each other, or the target cannot be asked.
    """
    level = options.level or "bound"
    if level == "bits" and options.dtype != "float64":
        raise UsageFault(f"--level bits --dtype {options.dtype}: bits are specified for float64 alone")
    _check_installed(options.dtype)
    try:
        target = _open(options)
    except TargetFault as fault:
        raise UsageFault(str(fault)) from None
    declared = target.declaration
    process = target if isinstance(target, ProcessTarget) else None
    if options.dtype not in declared.dtypes:
        if process:
            process.close()
        raise UsageFault(f"--dtype {options.dtype}: {declared.name} takes {', '.join(declared.dtypes) or 'no type'}")
    judge = TruthJudge(
        Reference().answer,
        level,
        rounding_of(options.dtype, declared.accumulates, declared.exp_ulps),
        options.require_repeatable,
        form=FORMATS[options.dtype],
        plain=Reference(plain=True).answer,
    )
    return Setup(_adapted(target, declared, options.dtype), judge, level, options.dtype, profiles, process)


def _check_installed(dtype: str) -> None:
    try:
        dtype_named(dtype)
    except ImportError:
        raise UsageFault(f"--dtype {dtype}: needs ml_dtypes; pip install 'attnspec[ml_dtypes]'") from None


def _open(options: argparse.Namespace) -> Target:
    """Return the target in a process of its own, or in this one where that was asked."""
    text: str = options.target
    if text.startswith("cmd:"):
        return ProcessTarget(_words(text.removeprefix("cmd:")), options.timeout)
    why_not = unavailable(text)
    if why_not:  # said here, as a process that does not start has more to say about itself
        raise TargetFault(why_not)
    if not has_own_process(options):
        return load_any(text)
    serve = [sys.executable, "-P", "-m", "attnspec.targets.serve"]  # -P: no file here stands in for a module
    return ProcessTarget([*serve, text], options.timeout)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise TargetFault(f"cmd:{command}: {error}") from None


def _adapted(target: Target, declared: Declaration, dtype: str) -> Target:
    """Return the target as the corpus asks it: without a head axis, in float64."""
    if declared.layout != "BTD":
        target = WithHeadAxis(target)
    return target if dtype == "float64" else NarrowTarget(target, FORMATS[dtype])
