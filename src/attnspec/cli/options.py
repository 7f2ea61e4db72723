"""The options that say how a target is judged, for `attnspec check` and, under a prefix, for pytest."""

from __future__ import annotations

import argparse
from typing import Any

LEVELS = ("bits", "bound")
DTYPES = ("float64", "float32", "float16", "bfloat16")
MOST_JOBS = 999


def seconds(text: str) -> float:
    """Return a positive number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{text}: a positive number of seconds is expected")
    return number


def processes(text: str) -> int:
    """Return a number of processes."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text}: a number from 1 to {MOST_JOBS} is expected")
    return int(text)


def has_own_process(options: argparse.Namespace) -> bool:
    """Say whether the target runs in a process of its own."""
    return options.target is not None and (options.target.startswith("cmd:") or not options.in_process)


JUDGING: dict[str, dict[str, Any]] = {
    "profile": {"action": "append", "metavar": "P", "help": "run exactly these profiles (repeatable, or all)"},
    "level": {
        "choices": LEVELS,
        "help": "equal in every bit, or within derived error bounds (the default; the reference is held to bits)",
    },
    "dtype": {"choices": DTYPES, "help": "the type that a target is asked in; inputs are rounded to it first"},
    "known-failures": {
        "metavar": "FILE",
        "help": "what is known to fail does not fail the run; what passes all the same does",
    },
    "require-repeatable": {"action": "store_true", "help": "two runs that differ fail, even within the bound"},
    "timeout": {"type": seconds, "metavar": "S", "help": "seconds that a target may take for one request (60)"},
    "in-process": {"action": "store_true", "help": "run a Python target in this process, to debug it"},
    "corpus": {"metavar": "DIR", "help": "read the fixtures from DIR (laid out as fixtures/)"},
}
"""By name, as `add_argument` takes them."""

DEFAULTS: dict[str, Any] = {
    "profile": [],
    "level": None,
    "dtype": "float64",
    "known_failures": None,
    "require_repeatable": False,
    "timeout": 60.0,
    "in_process": False,
    "corpus": None,
}
"""By the attribute that holds the value."""
