"""The corpus of this checkout, read once, as parameters of tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from attnspec.corpus.fixture import Fixture
from attnspec.corpus.store import Corpus

ROOT = Path(__file__).resolve().parents[1]
CORPUS = Corpus(ROOT / "fixtures", ROOT / "spec")


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Every fixture in the order of its path; a fixture with faults stops the run with all of them."""
    return tuple(CORPUS)


def cases(wanted: Callable[[Fixture], bool], computes: bool = True) -> pytest.MarkDecorator:
    """Return a parametrisation of `fixture` over the cases that are wanted, under their ids.

    Those of more than 512 tokens are slow, unless the test computes nothing.
    """
    chosen = [
        pytest.param(fixture, id=fixture.id, marks=[pytest.mark.slow] if computes and is_long(fixture) else [])
        for fixture in fixtures()
        if wanted(fixture)
    ]
    return pytest.mark.parametrize("fixture", chosen)


def is_long(fixture: Fixture) -> bool:
    """Say whether a case has more than 512 tokens."""
    shapes = [value.shape for value in fixture.request.inputs.values() if isinstance(value, np.ndarray)]
    return fixture.profile == "large" and max((size for shape in shapes for size in shape), default=0) > 512


def accepted(fixture: Fixture) -> bool:
    return fixture.rejects is None


def rejected(fixture: Fixture) -> bool:
    return fixture.rejects is not None
