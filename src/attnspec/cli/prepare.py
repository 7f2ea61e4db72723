"""From the options of a run to its setup."""

from __future__ import annotations

import argparse

from attnspec.cli.common import UsageFault
from attnspec.cli.setup import Setup
from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.profiles import PROFILES, choose_profiles
from attnspec.numeric.self_check import MachineError, check_machine
from attnspec.targets.reference import Reference


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
    if options.target is not None:
        from attnspec.cli.other_target import prepare_target

        return prepare_target(options, profiles)
    if options.level == "bound":
        raise UsageFault("--level bound: the reference is held to bits; bounds are for other targets")
    if options.dtype != "float64":
        raise UsageFault(f"--dtype {options.dtype}: the reference is float64; types are for other targets")
    return Setup(Reference(), GoldenJudge(Reference(plain=True).answer), "bits", "float64", profiles)
