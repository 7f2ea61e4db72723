"""Check every implementation that is installed here, and write the results of record.

    python tools/record_results.py                 every built-in target, in each type that it takes
    python tools/record_results.py torch jax       only these
    python tools/record_results.py --write-readme  only the table of README.md, from what stands in spec/results/

A result is the report of `attnspec check NAME --json FILE`, one file per target and type: all profiles in the widest
type that it takes, `core` and `isolation` in the others. It says what ran, in which version, on which day and against
which corpus; an implementation that is not installed keeps what was recorded before. Left out are the cases of a mask
that the reference alone is bound to refuse: others fill gigabytes in vain.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from _checkout import ROOT, refuse, require_checkout

RESULTS = ROOT / "spec" / "results"
README = ROOT / "README.md"
TABLE = re.compile(r"(?<=<!-- results -->\n).*?(?=<!-- /results -->)", re.DOTALL)
NOT_ASKED = "not be_held and not before_the_mask"
TYPES = ("float64", "float32", "float16", "bfloat16")


def main(arguments: list[str] | None = None) -> int:
    """Run the tool and return its exit status."""
    options = _parse(arguments)
    require_checkout()
    from attnspec.targets.built_in import BUILT_IN

    unknown = [name for name in options.names if name not in BUILT_IN]
    if unknown:
        refuse(f"{unknown[0]}: no such target; known: {', '.join(BUILT_IN)}")
    RESULTS.mkdir(exist_ok=True)
    for name in () if options.write_readme else options.names or BUILT_IN:
        if BUILT_IN[name].missing:
            print(f"{name:16} not run: {BUILT_IN[name].missing} is not installed")
            continue
        for dtype in TYPES:
            is_widest = dtype == TYPES[0] or (not (RESULTS / f"{name}.{TYPES[0]}.json").exists() and dtype == TYPES[1])
            profiles = ("all",) if is_widest else ("core", "isolation")
            print(f"{name:16} {dtype:9} {record(name, dtype, profiles)}", flush=True)
    write_table()
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a built-in target; nothing: all that are installed")
    parser.add_argument("--write-readme", action="store_true", help="write the table of README.md alone")
    return parser.parse_args(arguments)


def record(name: str, dtype: str, profiles: Sequence[str]) -> str:
    """Check a target in a type, write its report, and say what came of it."""
    place = RESULTS / f"{name}.{dtype}.json"
    fresh = place.with_suffix(".tmp")
    command = [sys.executable, "-m", "attnspec", "check", name, "--dtype", dtype, "-k", NOT_ASKED]
    command += [word for profile in profiles for word in ("--profile", profile)]
    ended = subprocess.run([*command, "--json", str(fresh)], capture_output=True, text=True, cwd=ROOT, check=False)
    if ended.returncode not in (0, 1):
        fresh.unlink(missing_ok=True)
        return (ended.stderr.strip().splitlines() or ["nothing was said"])[-1]
    fresh.replace(place)
    return next((line for line in ended.stdout.splitlines() if re.match(r"\d+ cases?: ", line)), "done")


def write_table(readme: Path = README, folder: Path = RESULTS) -> None:
    """Write the table of README.md."""
    text = readme.read_text(encoding="utf-8")
    if not TABLE.search(text):
        refuse(f"{readme.name}: no lines <!-- results --> and <!-- /results --> to write between")
    readme.write_text(TABLE.sub(lambda _: "\n" + table(folder) + "\n", text), encoding="utf-8")


def table(folder: Path = RESULTS) -> str:
    """Return the table of the results in a folder."""
    from _results import COLUMNS, records

    found = records(folder)
    rows = [_row(COLUMNS), _row(["---"] * len(COLUMNS)), *(_row(one.cells()) for one in found)]
    days = sorted({one.report.started[:10] for one in found})
    machines = sorted({f"{one.report.platform.system} on {one.report.platform.machine}" for one in found})
    said = f"Recorded by `tools/record_results.py` on {_span(days)}, {', '.join(machines)}."
    return "\n".join([*rows, "", said, ""])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _span(days: Sequence[str]) -> str:
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else "no day"


if __name__ == "__main__":
    sys.exit(main())
