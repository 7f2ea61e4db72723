"""What several commands need: the corpus they were pointed at, and faults of usage."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnspec.corpus.fixture import Fixture
    from attnspec.corpus.store import Corpus


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there is not one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class UsageFault(Exception):
    """Bad usage or unreadable input: one line or more for the user, status 2."""


def open_corpus(options: argparse.Namespace) -> Corpus:
    """Return the corpus that `--corpus` names, or the checkout's, or the installed one."""
    from attnspec.corpus.store import NoCorpusError, find_corpus

    try:
        return find_corpus(None if options.corpus is None else _folder(options.corpus))
    except NoCorpusError as error:
        raise UsageFault(str(error)) from None


def _folder(name: str) -> Path:
    if not name:
        raise UsageFault("--corpus '': an empty name is no folder; leave the option out for the own corpus")
    return Path(name)


def selected_fixtures(corpus: Corpus, selection: str | None) -> Iterator[Fixture]:
    """Yield the fixtures whose id matches; UsageFault with all its faults for a file that is none."""
    from attnspec.corpus.faults import FixtureFaults

    try:
        for place in selected_places(corpus, selection):
            yield corpus.read_path(corpus.root / place)
    except FixtureFaults as error:
        raise UsageFault(str(error)) from None


def selected_places(corpus: Corpus, selection: str | None) -> list[str]:
    """Return the files of the fixtures whose id matches, from the root of the corpus."""
    from attnspec.corpus.selection import SelectionError, compile_selection

    try:
        matches = compile_selection(selection)
    except SelectionError as error:
        raise UsageFault(str(error)) from None
    return [place for place in corpus.places() if matches(place.rpartition(".")[0])]


def nothing_found(corpus: Corpus, selection: str | None, profiles: Sequence[str] = ()) -> UsageFault:
    """Say why no case was chosen."""
    if not len(corpus):
        return UsageFault(f"{corpus.root}: no fixture in this folder; one laid out as fixtures/ is expected")
    of = f" of the profiles {', '.join(profiles)}" if profiles else ""
    matching = f" matches -k {selection!r}" if selection is not None else ""
    return UsageFault(f"no case{of}{matching}; `attnspec list` names them all")


def warn_of_other_checkout(corpus: Corpus) -> None:
    """Say on stderr when the working directory lies in a checkout with another corpus than the one used."""
    from attnspec.corpus.store import Corpus, checkout_above

    try:
        checkout = checkout_above(Path.cwd())
    except OSError:  # the working directory was removed
        return
    if checkout is None:
        return
    found = Corpus(checkout / "fixtures", checkout / "spec")
    if found.root.resolve() != corpus.root.resolve() and found.hash() != corpus.hash():
        print(
            f"note: {found.root} differs from the corpus used, {corpus.root}; "
            "give --corpus, or install the checkout with pip install -e",
            file=sys.stderr,
        )
