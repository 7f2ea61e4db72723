"""From the options of a run to who is asked, who judges, and what is asked."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import dataclass

from attnspec.cli.common import UsageFault
from attnspec.conformance.judges import GoldenJudge, Judge
from attnspec.conformance.layout import WithHeadAxis
from attnspec.conformance.narrow import NarrowTarget
from attnspec.conformance.process_target import ProcessTarget
from attnspec.conformance.profiles import PROFILES, choose_profiles
from attnspec.conformance.rounding import rounding_of
from attnspec.conformance.target import Declaration, Target, TargetFault
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.numeric.formats import FORMATS
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.built_in import unavailable
from attnspec.targets.loading import load_any
from attnspec.targets.reference import Reference


@dataclass(frozen=True)
class Setup:
    """A run that is about to start.

    Args:
        target: who is asked, adapted to its type and layout.
        judge: who compares.
        level: `bits` or `bound`.
        dtype: the type that is asked for.
        profiles: what is asked.
        process: the target's process, to be closed at the end.
    """

    target: Target
    judge: Judge
    level: str
    dtype: str
    profiles: tuple[str, ...]
    process: ProcessTarget | None = None

    @property
    def said(self) -> str:
        """The level and type, with what the target declared in its own favour."""
        declared = self.target.declaration
        words = [self.level] if self.dtype == "float64" else [self.level, self.dtype]
        if self.level == "bound" and declared.exp_ulps != 2.0:
            words.append(f"its exponential within {declared.exp_ulps:g} ulps as it declares")
        if self.dtype != "float64" and declared.accumulates:
            words.append(f"computed in {declared.accumulates} as it declares")
        return ", ".join(words)

    def close(self) -> None:
        """End the target's process."""
        if self.process is not None:
            self.process.close()


def asked_profiles(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the profiles that `profile` names, or those that `target` is asked where it names none.

    Raises:
        UsageFault: there is no such profile.
    """
    unknown = [name for name in options.profile if name != "all" and name not in PROFILES]
    if unknown:
        raise UsageFault(f"--profile {unknown[0]}: no such profile; known: {', '.join(PROFILES)}, all")
    return choose_profiles(options.profile, is_reference=options.target is None)


def prepare(options: argparse.Namespace) -> Setup:
    """Return what the options ask for; a target in a process of its own is started.

    Args:
        options: `target`, `profile`, `level`, `dtype`, `require_repeatable`, `timeout`, `in_process`.

    Raises:
        UsageFault: they contradict each other, or the target cannot be asked.
    """
    profiles = asked_profiles(options)
    try:
        check_machine()
    except MachineError as error:
        raise UsageFault(str(error)) from None
    plain = Reference(plain=True).answer
    if options.target is None:
        if options.level == "bound":
            raise UsageFault("--level bound: the reference is held to bits; bounds are for other targets")
        if options.dtype != "float64":
            raise UsageFault(f"--dtype {options.dtype}: the reference is float64; types are for other targets")
        return Setup(Reference(), GoldenJudge(plain), "bits", "float64", profiles)
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
        plain=plain,
    )
    return Setup(_adapted(target, declared, options.dtype), judge, level, options.dtype, profiles, process)


def _check_installed(dtype: str) -> None:
    try:
        FORMATS[dtype].dtype  # noqa: B018
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
    if options.in_process:
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
