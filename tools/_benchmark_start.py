"""What it costs to start a command, against the start of Python with NumPy and PyYAML."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from _benchmark_processes import Command
from _benchmark_rows import Found, Row, Section, Target, compared
from _benchmark_timing import Bench

NAME = "start"
CASE = "causal_attention/three_tokens"
BARE = 'python -c "import numpy, yaml"'
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "attnspec --help": ("--help",),
    "attnspec list": ("list",),
    "attnspec show CASE": ("show", CASE),
    "attnspec check, one case": ("check", "-k", CASE),
    "attnspec lint FILE": ("lint", f"fixtures/{CASE}.yaml"),
}
MOST = Target(2.0)
NONE = Target(0.0, of_ratio=False)
LOADED = """\
import sys
from attnspec.cli import main
try:
    main(["--help"])
except SystemExit as end:
    assert not end.code
print()
print(sum(name.partition(".")[0] == "numpy" for name in sys.modules))
"""


@dataclass(frozen=True)
class Sizes:
    """Which commands."""

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: COMMANDS)


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield the time of each command, and how many modules of NumPy the help needs."""
    bench.say(f"{NAME}: {len(sizes.commands)} commands")
    bare = Command(BARE, [sys.executable, "-c", "import numpy, yaml"])
    commands = [Command(name, [sys.executable, "-m", "attnspec", *words]) for name, words in sizes.commands.items()]
    for command in (bare, *commands):
        command.run()  # what is compiled and read for the first time is no measure
    samples = bench.compare([bare, *commands], warm=False)
    for command in commands:
        yield compared(samples, (NAME, command.name), (command.name, BARE), "ms", MOST)
    yield Row(NAME, "modules of NumPy that --help loads", numpy_modules(LOADED), target=NONE)


def numpy_modules(program: str) -> int:
    """Return the number that a Python program prints last."""
    return int(Command("python", [sys.executable, "-c", program]).run().said.split()[-1])


SECTION = Section(NAME, measure, Sizes(), Sizes())
