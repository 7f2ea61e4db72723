"""`attnspec lint`: read fixtures and say everything that is wrong with them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from attnspec.cli.common import UsageFault, counted, open_corpus


def run(options: argparse.Namespace) -> int:
    """Print every fault of every file, one line each; status 2 when there is one."""
    from attnspec.corpus.lint import lint_file

    corpus = open_corpus(options)
    clauses = corpus.clauses()
    paths = [path for argument in options.paths for path in _fixtures_under(Path(argument))]
    faults = [fault for path in paths for fault in lint_file(path, corpus.root, clauses)]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{counted(len(paths), 'fixture')}: {counted(len(faults), 'fault') if faults else 'no fault'}")
    return 2 if faults else 0


def _fixtures_under(place: Path) -> list[Path]:
    from attnspec.corpus.store import fixture_files

    if place.is_dir():
        found = list(fixture_files(place))
        if not found:
            raise UsageFault(f"{place}: no .yaml file in this folder")
        return found
    if not (place.exists() or place.is_symlink()):
        raise UsageFault(f"{place}: no such file")
    return [place]
