"""What it costs to start a command, against the start of Python with NumPy and PyYAML."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from _benchmark_processes import Command
from _benchmark_rows import Found, Row, Section, Target, compared
from _benchmark_timing import Bench
from _checkout import ROOT

NAME = "start"
CASE = "causal_attention/three_tokens"
BARE = 'python -c "import numpy, yaml"'
ALONE = "ALONE"
MOST = Target(2.0)


@dataclass(frozen=True)
class Start:
    """A command that has little or nothing to do; ALONE among its words is a corpus of one case."""

    words: Sequence[str]
    status: int = 0
    most: Target | None = MOST


COMMANDS: Mapping[str, Start] = {
    "attnspec --help": Start(("--help",)),
    "attnspec check, until the first case": Start(("check", "--corpus", ALONE, "-k", "none"), status=2),
    "attnspec list, one case": Start(("list", "--corpus", ALONE)),
    "attnspec show CASE": Start(("show", CASE)),
    "attnspec lint FILE": Start(("lint", f"fixtures/{CASE}.yaml")),
    "attnspec check, one of all cases": Start(("check", "-k", CASE), most=None),
    "attnspec list, all cases": Start(("list",), most=None),
}
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

    commands: Mapping[str, Start] = field(default_factory=lambda: COMMANDS)


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield the time of each command, and how many modules of NumPy the help needs."""
    bench.say(f"{NAME}: {len(sizes.commands)} commands")
    bare = Command(BARE, [sys.executable, "-c", "import numpy, yaml"])
    with TemporaryDirectory() as alone:
        case = Path(alone, f"{CASE}.yaml")
        case.parent.mkdir()
        copyfile(ROOT / "fixtures" / f"{CASE}.yaml", case)
        commands = [_command(name, start, alone) for name, start in sizes.commands.items()]
        for command in (bare, *commands):
            command.run()  # what is compiled and read for the first time is no measure
        samples = bench.compare([bare, *commands], warm=False)
    for command, start in zip(commands, sizes.commands.values(), strict=True):
        yield compared(samples, (NAME, command.name), (command.name, BARE), "ms", start.most)
    yield Row(NAME, "modules of NumPy that --help loads", numpy_modules(LOADED), target=NONE)


def _command(name: str, start: Start, alone: str) -> Command:
    words = [alone if word == ALONE else word for word in start.words]
    return Command(name, [sys.executable, "-m", "attnspec", *words], status=start.status)


def numpy_modules(program: str) -> int:
    """Return the number that a Python program prints last."""
    return int(Command("python", [sys.executable, "-c", program]).run().said.split()[-1])


SECTION = Section(NAME, measure, Sizes(), Sizes())
