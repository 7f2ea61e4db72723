"""How `check` and the regeneration of goldens grow with the number of fixtures, and what a second process saves."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import median

from _benchmark_processes import Command
from _benchmark_rows import Disagreement, Found, Row, Section, Target, compared, single
from _benchmark_timing import Bench
from _checkout import ROOT
from _corpora import make_corpus

NAME = "growth"
COMMANDS = {
    "check": ("-m", "attnspec", "check"),
    "regenerate": (str(ROOT / "tools" / "regenerate_goldens.py"), "--check"),
}
DECADE = (1_000, 10_000)  # the targets are of this step
MORE_TIME = Target(10.5)
MORE_MEMORY = Target(1.3)
FASTER = Target(1.6, is_floor=True)
_COUNTED = re.compile(r"^([\d,]+) (?:cases?: ([\d,]+) passed$|goldens, all current$)", re.MULTILINE)


@dataclass(frozen=True)
class Sizes:
    """How many fixtures, from few to many, and which commands."""

    counts: Sequence[int] = (100, *DECADE)
    commands: Sequence[str] = tuple(COMMANDS)


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield seconds and memory for each number of fixtures, and what --jobs 2 makes of the largest."""
    with tempfile.TemporaryDirectory() as name:
        folders = {count: Path(name) / str(count) for count in sizes.counts}
        for count, folder in folders.items():
            bench.say(f"{NAME}: a corpus of {count:,} fixtures is written")
            make_corpus(folder, count)
        for command in sizes.commands:
            bench.say(f"{NAME}: {command}")
            yield from _of(command, folders, replace(bench, rounds=max(1, bench.rounds // 2)))


def _of(name: str, folders: dict[int, Path], bench: Bench) -> Found:
    runs = {count: _command(name, count, folder) for count, folder in folders.items()}
    most = max(folders)
    by_two = _command(name, most, folders[most], jobs=2)
    samples = bench.compare([*runs.values(), by_two], warm=False)
    for count, command in (*runs.items(), (most, by_two)):
        must_have_done(command, count)
    first, *_ = runs.values()
    yield single(samples, (NAME, first.name), first.name, "s")
    for fewer, more in pairwise(folders):
        of_decade = (fewer, more) == DECADE
        yield compared(
            samples,
            (NAME, runs[more].name),
            (runs[more].name, runs[fewer].name),
            "s",
            MORE_TIME if of_decade else None,
        )
        yield _memory(runs[more], runs[fewer], MORE_MEMORY if of_decade else None)
    target = FASTER if most == DECADE[-1] else None
    yield compared(samples, (NAME, runs[most].name), (runs[most].name, by_two.name), "s", target)


def _command(name: str, count: int, folder: Path, jobs: int = 1) -> Command:
    more = ("--jobs", str(jobs)) if jobs > 1 else ()
    told = " ".join((name, f"{count:,}", *more))
    return Command(told, [sys.executable, *COMMANDS[name], "--corpus", str(folder), *more])


def must_have_done(command: Command, count: int) -> None:
    """Raise Disagreement where a run did not deal with every fixture."""
    for run in command.runs:
        said = [found for line in _COUNTED.findall(run.said) for found in _numbers(line)]
        passed = "check" in command.name
        wanted = [count, count] if passed else [count - count // 8]
        if said != wanted:
            raise Disagreement(f"{command.name}: it dealt with {said or 'nothing'}, not with {wanted}")


def _numbers(cells: Sequence[str]) -> Iterator[int]:
    return (int(cell.replace(",", "")) for cell in cells if cell)


def _memory(more: Command, fewer: Command, target: Target | None) -> Row:
    peaks = [median(run.mebibytes for run in command.runs) for command in (more, fewer)]
    return Row(NAME, f"{more.name}, memory", peaks[0], "MiB", fewer.name, peaks[1], peaks[0] / peaks[1], target)


SECTION = Section(NAME, measure, Sizes(), Sizes((100, 1_000)))
