"""Measure this project against what a user would pick instead, and say which targets are met.

    python tools/benchmark.py                     everything: about a quarter of an hour
    python tools/benchmark.py --quick             fewer rounds and smaller sizes: about a minute
    python tools/benchmark.py -k 'attention'      sections by name: exponential, attention, reading, growth, start
    python tools/benchmark.py --gate              status 1 where a target is missed
    python tools/benchmark.py --write-readme      everything, and write the table of README.md

Ratios come from one run: all sides of a comparison are measured in turn, round after round, so that a busy machine
hits them all. Before it is measured, each side must give the same answer as this project's, within what rounding
leaves open; status 2 where it does not. gmpy2, mpmath and torch are measured where they are installed. What has threads
runs in processes of its own, so that they take nothing from the others: torch with two, NumPy with BLAS once with one
thread and once with one for each core, of which the faster is told. --write-readme refuses, with status 2, where the
load at the start is above half of the cores.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _checkout import ROOT, refuse, require_checkout

require_checkout()

import _benchmark_attention  # noqa: E402  (only from the checkout)
import _benchmark_exponential  # noqa: E402
import _benchmark_growth  # noqa: E402
import _benchmark_reading  # noqa: E402
import _benchmark_start  # noqa: E402
from _benchmark_machine import described, load, was_busy  # noqa: E402
from _benchmark_rows import Disagreement, Missing, Row, Section  # noqa: E402
from _benchmark_table import Outcome, document, markdown, print_outcome  # noqa: E402
from _benchmark_timing import Bench  # noqa: E402
from attnspec.cli import guarded  # noqa: E402
from attnspec.corpus.selection import SelectionError, compile_selection  # noqa: E402

README = ROOT / "README.md"
MARKS = "<!-- benchmark -->", "<!-- /benchmark -->"
PLACE = re.compile(rf"(?<={MARKS[0]}\n).*?(?={MARKS[1]})", re.DOTALL)
SECTIONS: Sequence[Section] = (
    _benchmark_exponential.SECTION,
    _benchmark_attention.SECTION,
    _benchmark_reading.SECTION,
    _benchmark_growth.SECTION,
    _benchmark_start.SECTION,
)
ROUNDS, QUICK_ROUNDS = 7, 3


def main(arguments: Sequence[str] | None = None, sections: Sequence[Section] = SECTIONS) -> int:
    """Measure what the options select; return 1 where a target is missed and --gate is given."""
    options = _options(arguments)
    if options.write_readme and not PLACE.search(README.read_text(encoding="utf-8")):
        refuse(f"README.md has no place for the table; write {' and '.join(MARKS)} on lines of their own")
    if options.json and not Path(options.json).absolute().parent.is_dir():
        refuse(f"--json {options.json}: no such folder")
    chosen = _selected(options.selection, sections)
    machine = described()
    if options.write_readme and was_busy(machine):
        found = f"the load is {machine['load_at_start']} with {machine['cores']} cores"
        refuse(
            f"--write-readme: {found}: figures of a busy machine are no measure; wait until it is at most half of them"
        )
    outcome = run(machine, chosen, Bench(QUICK_ROUNDS if options.quick else ROUNDS), options.quick)
    if options.json != "-":
        print_outcome(outcome)
    if options.json:
        told = json.dumps(document(outcome), indent=1) + "\n"
        sys.stdout.write(told) if options.json == "-" else Path(options.json).write_text(told, encoding="utf-8")
    if options.write_readme:
        write_readme(README, outcome)
    return 1 if options.gate and outcome.missed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", dest="selection", metavar="EXPR", help="only these sections, as in attnspec check")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller sizes")
    parser.add_argument("--gate", action="store_true", help="status 1 where a target is missed")
    parser.add_argument("--json", metavar="FILE", help="everything for machines; - is standard output")
    parser.add_argument("--write-readme", action="store_true", help="write the table of README.md")
    options = parser.parse_args(arguments)
    if options.write_readme and (options.quick or options.selection):
        parser.error("--write-readme tells of the whole run; leave out --quick and -k")
    return options


def _selected(expression: str | None, sections: Sequence[Section]) -> list[Section]:
    try:
        matches = compile_selection(expression)
    except SelectionError as error:
        refuse(f"-k: {error}")
    chosen = [section for section in sections if matches(section.name)]
    if not chosen:
        refuse(f"-k {expression}: no such section; known: {', '.join(section.name for section in sections)}")
    return chosen


def run(machine: dict[str, Any], sections: Sequence[Section], bench: Bench, quick: bool) -> Outcome:
    """Measure some sections of a machine that was described; leave with status 2 where two sides disagree."""
    rows: list[Row] = []
    missing: list[Missing] = []
    for section in sections:
        try:
            for found in section.measure(section.quick if quick else section.full, bench):
                rows.append(found) if isinstance(found, Row) else missing.append(found)
        except Disagreement as fault:
            refuse(f"{section.name}: {fault}")
    return Outcome({**machine, "load_at_end": load()}, bench.rounds, rows, missing)


def write_readme(readme: Path, outcome: Outcome) -> None:
    """Write the table between the marks."""
    text = readme.read_text(encoding="utf-8")
    readme.write_text(PLACE.sub(lambda _: f"\n{markdown(outcome)}\n\n", text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(guarded(main, cut_short=1))
