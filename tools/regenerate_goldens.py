"""Write the goldens: the complete output of every accepted fixture, bit for bit.

    python tools/regenerate_goldens.py                     write what is missing, show what changed
    python tools/regenerate_goldens.py --update [-k EXPR]  overwrite what changed
    python tools/regenerate_goldens.py --prune             remove goldens without a fixture
    python tools/regenerate_goldens.py --check             compare only; status 1 on any difference
    python tools/regenerate_goldens.py --jobs N            the same with N processes

A golden is overwritten only with a reason that a reader of the diff could check.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from _checkout import refuse, require_checkout

ROOT = require_checkout()

from attnspec.cli import guarded  # noqa: E402  (only from the checkout)
from attnspec.cli.options import processes  # noqa: E402
from attnspec.cli.progress import track  # noqa: E402
from attnspec.cli.workers import Workers  # noqa: E402
from attnspec.conformance.jobs import in_order  # noqa: E402
from attnspec.corpus.faults import FixtureFaults  # noqa: E402
from attnspec.corpus.goldens import write_golden  # noqa: E402
from attnspec.corpus.regeneration import Standing, State, orphans, standing  # noqa: E402
from attnspec.corpus.selection import SelectionError, compile_selection  # noqa: E402
from attnspec.corpus.store import Corpus  # noqa: E402
from attnspec.numeric.self_check import MachineError, check_machine  # noqa: E402
from attnspec.targets.reference import Reference  # noqa: E402


def main() -> int:
    """Bring the goldens up to date as the options allow; return 0 when all are current."""
    options = _options()
    corpus = Corpus(Path(options.corpus) if options.corpus else ROOT / "fixtures", ROOT / "spec")
    if not corpus.root.is_dir():
        refuse(f"{corpus.root}: no folder of fixtures")
    try:
        check_machine()
        matches = compile_selection(options.selection)
        if options.jobs == 1:
            return _regenerate(corpus, matches, options, None)
        with Workers(options.jobs, "attnspec.targets.reference") as workers:
            return _regenerate(corpus, matches, options, workers)
    except (MachineError, SelectionError) as error:
        refuse(str(error))
    except BrokenExecutor:
        refuse("a worker ended in the middle of its goldens; --jobs 1 shows what ended it")
    except FixtureFaults as faults:
        print(faults, file=sys.stderr)
        return 2


def _regenerate(
    corpus: Corpus, matches: Callable[[str], bool], options: argparse.Namespace, executor: Executor | None
) -> int:
    accepted = _accepted(corpus, options.jobs, executor)  # every fixture is read before any golden is touched
    chosen = [path for path in accepted if matches(corpus.case_id(path))]
    if not chosen:
        refuse(
            f"no accepted case matches -k {options.selection!r}" if options.selection else "there is no accepted case"
        )
    open_ends = 0
    with closing(in_order(executor, partial(Standings, corpus), chosen, options.jobs)) as standings:
        for found in track(standings, len(chosen), "goldens"):
            open_ends += not _settle(found, options)
    if options.selection is None:
        for orphan in orphans(corpus):
            open_ends += not _settle(orphan, options)
    print(f"{len(chosen)} goldens, " + (f"{open_ends} to be settled" if open_ends else "all current"))
    return 1 if open_ends else 0


class Reading:
    """Says of one fixture after the other whether it is accepted, or what is wrong with it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def __call__(self, path: Path) -> bool | FixtureFaults:
        try:
            return self._corpus.read_path(path).rejects is None
        except FixtureFaults as faults:
            return faults

    def close(self) -> None:
        """Leave nothing open; there is nothing."""


class Standings:
    """Computes one golden after the other; one that is current is not sent back."""

    def __init__(self, corpus: Corpus) -> None:
        check_machine()
        self._corpus, self._truth, self._plain = corpus, Reference().answer, Reference(plain=True).answer

    def __call__(self, path: Path) -> Standing:
        found = standing(self._corpus.read_path(path), self._truth, self._corpus.read, self._plain)
        return replace(found, golden=None) if found.state is State.CURRENT else found

    def close(self) -> None:
        """Leave nothing open; there is nothing."""


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 on any difference")
    parser.add_argument("--update", action="store_true", help="overwrite goldens that changed or are stale")
    parser.add_argument("--prune", action="store_true", help="remove goldens without a fixture")
    parser.add_argument("-k", dest="selection", metavar="EXPR", help="only these cases, as in attnspec check")
    parser.add_argument("--corpus", metavar="DIR", help="another folder of fixtures")
    parser.add_argument("--jobs", type=processes, default=1, metavar="N", help="compute with N processes at a time (1)")
    options = parser.parse_args(arguments)
    if options.check and (options.update or options.prune):
        parser.error("--check writes nothing; leave out --update and --prune")
    return options


def _accepted(corpus: Corpus, jobs: int, executor: Executor | None) -> list[Path]:
    paths = list(corpus.paths())
    with closing(in_order(executor, partial(Reading, corpus), paths, jobs)) as readings:
        read = list(readings)
    faults = [fault for found in read if isinstance(found, FixtureFaults) for fault in found.faults]
    if faults:
        raise FixtureFaults(faults)
    return [path for path, is_accepted in zip(paths, read, strict=True) if is_accepted]


def _settle(found: Standing, options: argparse.Namespace) -> bool:
    """Do what the options allow about one golden and say so; return whether nothing is left to do."""
    if found.state is State.CURRENT:
        return True
    name = found.path.relative_to(ROOT) if found.path.is_relative_to(ROOT) else found.path
    done = _write(found, options)
    print(f"{found.state}: {name}{f' ({done})' if done else ''}")
    for remark in found.remarks:
        print(f"  {remark}")
    if not done and found.state in (State.STALE, State.CHANGED) and not options.check:
        print("  give --update to overwrite it, with a reason that a reader could check")
    return bool(done)


def _write(found: Standing, options: argparse.Namespace) -> str:
    """Return what was done, or nothing."""
    if options.check or found.state is State.WRONG:
        return ""
    if found.state is State.ORPHANED:
        if not options.prune:
            return ""
        found.path.unlink()
        return "removed"
    if found.state is not State.MISSING and not options.update:
        return ""
    assert found.golden is not None
    write_golden(found.path, found.golden)
    return "written"


if __name__ == "__main__":
    sys.exit(guarded(main, cut_short=1))
