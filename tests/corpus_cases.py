"""The corpus of this checkout, read once, as parameters of tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from attnspec.corpus.fixture import Fixture
from attnspec.corpus.store import Corpus

ROOT = Path(__file__).resolve().parents[1]
CORPUS = Corpus(ROOT / "fixtures", ROOT / "spec")


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Every fixture in the order of its path; a fixture with faults stops the run with all of them."""
    return tuple(CORPUS)


def cases(wanted: Callable[[Fixture], bool]) -> pytest.MarkDecorator:
    """Return a parametrisation of `fixture` over the cases that are wanted, under their ids."""
    chosen = [fixture for fixture in fixtures() if wanted(fixture)]
    return pytest.mark.parametrize("fixture", chosen, ids=[fixture.id for fixture in chosen])


def accepted(fixture: Fixture) -> bool:
    return fixture.rejects is None


def rejected(fixture: Fixture) -> bool:
    return fixture.rejects is not None
