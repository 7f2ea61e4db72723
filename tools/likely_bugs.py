"""Write spec/likely_bugs.json: what each broken twin fails, by which `attnspec check` knows a bug again.

    python tools/likely_bugs.py            write it, unless it says the same already
    python tools/likely_bugs.py --check    say what is stale in it; status 1 where something is

Two machines agree about the cases that a twin fails. An element at the edge of its bound may fall on either side.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from _checkout import ROOT, require_checkout

if TYPE_CHECKING:
    from attnspec.conformance.signatures import Signature, Signatures

MOST_AT_THE_EDGE = (
    0.05  # of a twin's places; 0.026 was the most between NumPy 1.26 and 2.4, and three kinds of processor
)


def main(arguments: list[str] | None = None) -> int:
    """Run the tool and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options = parser.parse_args(arguments)
    require_checkout()
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "broken")]
    from kills import all_kills, twins
    from signatures_of_twins import signatures

    from attnspec.conformance.signatures import FILE, read_signatures, written

    counted = signatures(twins(), all_kills(options.jobs))
    wrong = list(stale(read_signatures(ROOT / "spec"), counted))
    if wrong and not options.check:
        (ROOT / "spec" / FILE).write_text(written(counted), encoding="utf-8", newline="\n")
        return 0
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


def stale(shipped: Signatures, counted: Signatures) -> Iterator[str]:
    """Yield what the file should say and does not, a line each."""
    theirs, ours = ({twin.name: twin for twin in one.twins} for one in (shipped, counted))
    lines = [f"{case}: the twins were not asked it" for case in counted.cases - shipped.cases]
    lines += [f"{case}: no such case" for case in shipped.cases - counted.cases]
    lines += [f"{name}: no such twin" for name in theirs.keys() - ours.keys()]
    lines += [f"{name}: {_difference(theirs.get(name), twin)}" for name, twin in ours.items()]
    wrong = sorted(line for line in lines if not line.endswith(": "))
    if wrong:
        yield from wrong
        yield "spec/likely_bugs.json is stale; run python tools/likely_bugs.py"


def _difference(there: Signature | None, twin: Signature) -> str:
    """What differs between what is shipped of a twin and what it is now; empty where nothing does."""
    if there is None:
        return "is missing"
    if (there.bug, there.kind, there.level, there.profiles) != (twin.bug, twin.kind, twin.level, twin.profiles):
        return "its header is another"
    changed = sorted(there.fails.keys() ^ twin.fails.keys())
    if changed:
        return f"fails other cases: {', '.join(changed[:3])}"
    apart = sum(len(there.fails[case] ^ marks) for case, marks in twin.fails.items())
    at_most = MOST_AT_THE_EDGE * sum(map(len, twin.fails.values()))
    return "" if apart <= at_most else f"is wrong in {apart} other places"


if __name__ == "__main__":
    sys.exit(main())
