"""What the corpus catches: clause, the broken twins that violate it, the cases that fail them for it.

    python tools/clause_coverage.py                  the table; status 1 on a survivor or an unguarded clause
    python tools/clause_coverage.py --json           the same for machines
    python tools/clause_coverage.py --check          only what is wrong
    python tools/clause_coverage.py --redundant      accepted cases whose deletion loses nothing, and why they stay
    python tools/clause_coverage.py --write-readme   write the figures of README.md, which are compared otherwise

A clause is guarded when some twin that breaks it fails a case that cites it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _checkout import ROOT, require_checkout

if TYPE_CHECKING:
    from kill_table import KillTable

README = ROOT / "README.md"
FIGURES = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
MOST_REDUNDANT = 0.15


def main(arguments: list[str] | None = None) -> int:
    """Run the tool and return its exit status."""
    options = _parse(arguments)
    require_checkout()
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "broken")]
    from kill_table import figures, kill_table
    from needs import redundant_cases

    table = kill_table(options.jobs)
    counted = figures(table)
    if options.write_readme:
        write_figures(README, counted)
    wrong = [*faults(table), *stale(README.read_text(encoding="utf-8"), counted)]
    if options.redundant:
        found, accepted = redundant_cases(table)
        reasons = written_reasons()
        print("\n".join(f"{case}: {reasons.get(case, 'NO REASON')}" for case in found))
        print(f"{len(found)} of {accepted} accepted cases are redundant ({len(found) / accepted:.1%})")
        wrong += redundancy_faults(found, accepted, reasons)
    elif options.json:
        print(json.dumps(document(table, counted), indent=1))
    elif not options.check:
        print("\n".join(lines(table)))
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print everything as JSON")
    form.add_argument("--check", action="store_true", help="print only what is wrong")
    form.add_argument("--redundant", action="store_true", help="print the accepted cases that nothing needs")
    parser.add_argument("--write-readme", action="store_true", help="write the figures of README.md")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    return parser.parse_args(arguments)


def lines(table: KillTable) -> Iterator[str]:
    """Each clause, under it the twins that break it, and behind each twin the first cases that catch it there."""
    for clause, guards in table.guards.items():
        yield f"{clause}{'' if guards else '  UNGUARDED'}"
        for name, cases in guards.items():
            more = f" and {len(cases) - 3} more" if len(cases) > 3 else ""
            yield f"    {name} ({table.share_of(name):.0%}): {', '.join(cases[:3])}{more}"
    yield "In brackets: what share of all cases that the twin fails cite a clause that it breaks."


def document(table: KillTable, counted: Mapping[str, int]) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "figures": counted,
        "survivors": table.survivors,
        "unguarded": table.unguarded,
        "clauses": table.guards,
        "twins": {
            twin.name: {
                "bug": twin.bug,
                "kind": twin.kind,
                "level": twin.level,
                "profiles": twin.profiles,
                "breaks": twin.breaks,
                "cases": [kill.case for kill in table.kills[twin.name]],
                "share": round(table.share(twin), 3),
            }
            for twin in table.twins
        },
    }


def faults(table: KillTable) -> Iterator[str]:
    """What fails the build: a twin that nothing catches, a clause that nothing guards, a claim that nothing proves."""
    yield from (f"survivor: {name}" for name in table.survivors)
    yield from (f"unguarded: {clause}" for clause in table.unguarded)
    for twin in table.twins:
        yield from (f"{twin.name}: no case that it fails cites {clause}" for clause in table.unproven(twin))
        if table.kills[twin.name] and table.share(twin) < 0.5:
            yield f"{twin.name}: only {table.share(twin):.0%} of the cases that it fails cite a clause that it breaks"


# The figures of README.md


def rendered(counted: Mapping[str, int]) -> str:
    """The table, what its words mean, and when and with what it was counted."""
    import numpy

    rows = [counted.keys(), ["---:"] * len(counted), [f"{number:,}" for number in counted.values()]]
    today = datetime.datetime.now(tz=datetime.UTC).date()
    return "\n".join(
        [
            "",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            "A *broken twin* is a wrong implementation with one bug; a clause is *guarded* when a twin that breaks it",
            f"fails a case that cites it. Counted by `tools/clause_coverage.py` on {today}",
            f"with Python {platform.python_version()} and NumPy {numpy.__version__}.",
            "",
            "",
        ]
    )


def write_figures(readme: Path, counted: Mapping[str, int]) -> None:
    """Put the table between the marks, unless the one that is there says the same."""
    text = readme.read_text(encoding="utf-8")
    if stale(text, counted):
        readme.write_text(FIGURES.sub(lambda _: rendered(counted), text), encoding="utf-8")


def stale(readme: str, counted: Mapping[str, int]) -> list[str]:
    """Say whether the table shows other numbers; its date and versions may differ."""
    found = FIGURES.search(readme)
    if found is not None and _rows(found.group()) == _rows(rendered(counted)):
        return []
    return ["README.md: the figures are stale; run python tools/clause_coverage.py --write-readme"]


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


# Redundant cases


def written_reasons() -> dict[str, str]:
    """Why a redundant case stays, by case."""
    import yaml

    reasons: dict[str, str] = yaml.safe_load((ROOT / "tests/broken/redundant.yaml").read_text(encoding="utf-8"))
    return reasons


def redundancy_faults(found: list[str], accepted: int, reasons: Mapping[str, str]) -> Iterator[str]:
    """Redundant cases without a reason, reasons for others, and too many of them."""
    yield from (f"{case}: redundant, and no reason is written" for case in found if case not in reasons)
    yield from (f"{case}: a reason is written, though it is not redundant" for case in reasons if case not in found)
    if len(found) > MOST_REDUNDANT * accepted:
        yield f"{len(found)} of {accepted} accepted cases are redundant; at most {MOST_REDUNDANT:.0%} may be"


if __name__ == "__main__":
    sys.exit(main())
