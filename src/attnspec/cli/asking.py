"""Ask the cases of a run, in this process or in several, in the order of the corpus."""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import closing
from functools import partial

from attnspec.cli.common import UsageFault, open_corpus
from attnspec.cli.prepare import prepare
from attnspec.cli.progress import track
from attnspec.cli.setup import Setup
from attnspec.conformance.jobs import in_order
from attnspec.conformance.runner import report_on
from attnspec.conformance.verdicts import CaseReport
from attnspec.corpus.faults import FixtureFaults
from attnspec.corpus.store import Corpus


class Asking:
    """Reads one file of the corpus after the other, and asks what belongs to the profiles."""

    def __init__(self, setup: Setup, corpus: Corpus) -> None:
        self._setup, self._corpus = setup, corpus

    def __call__(self, place: str) -> CaseReport | None:
        """Return what became of a case, or nothing where it belongs to another profile."""
        setup, corpus = self._setup, self._corpus
        fixture = corpus.read_path(corpus.root / place)
        return report_on(fixture, setup.target, setup.judge, corpus.read) if fixture.profile in setup.profiles else None

    def close(self) -> None:
        self._setup.close()


def ask(
    setup: Setup, corpus: Corpus, places: Sequence[str], options: argparse.Namespace, executor: Executor | None = None
) -> Generator[CaseReport, None, None]:
    """Yield what became of the cases, and show how far it is.

    Args:
        setup: ends with the run, or before it where others ask: each of them has its own.
        corpus: what is read.
        places: the files, from its root.
        options: of the command; `jobs` says how many ask at a time.
        executor: of the workers; without one, this process asks.

    Raises:
        UsageFault: a file is no fixture; it holds all its faults.
    """
    opener = partial(Asking, setup, corpus)
    if executor is not None:
        setup.close()
        opener = partial(_open, options)
    try:
        with closing(in_order(executor, opener, places, options.jobs)) as answers:
            for report in track(answers, len(places), "cases"):
                if report is not None:
                    yield report
    except FixtureFaults as faults:
        raise UsageFault(str(faults)) from None
    except BrokenExecutor:
        raise UsageFault("--jobs: a worker ended in the middle of its cases; --jobs 1 shows what ended it") from None


def _open(options: argparse.Namespace) -> Asking:
    return Asking(prepare(options), open_corpus(options))
