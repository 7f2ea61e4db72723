"""A fixture as the rest of the project uses it (fixture_format)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attnspec.corpus.laws import (
    BatchIsolation,
    Becomes,
    GradientCheck,
    Isolation,
    Law,
    Perturbation,
    PrefixExtension,
    Replacement,
    RowSums,
    SameAs,
    ZeroGradient,
)
from attnspec.corpus.rejections import Rejection
from attnspec.corpus.request import Request
from attnspec.corpus.schema import Answer, Expectation, Part, Question, Visible
from attnspec.corpus.vocabulary import Operation

__all__ = [
    "Answer",
    "BatchIsolation",
    "Becomes",
    "Expectation",
    "Fixture",
    "GradientCheck",
    "Isolation",
    "Law",
    "Part",
    "Perturbation",
    "PrefixExtension",
    "Question",
    "Rejection",
    "Replacement",
    "RowSums",
    "SameAs",
    "Visible",
    "ZeroGradient",
    "law_parts",
]


@dataclass(frozen=True, eq=False)
class Fixture:
    """A case: what is asked, and what is known of the answer.

    Args:
        id: its path in the corpus without `.yaml`.
        path: the file.
        about: why the case exists.
        operation: the row of the vocabulary.
        profile: who is asked it.
        clauses: the clauses that it shows.
        source: where its values come from.
        request: what a target is asked; tensors by formula are written out.
        expect: expectations by name: `output`, `loss`, `gradients.query`.
        rejects: the refusal that is expected in place of an answer.
        laws: what else must hold, in the order of the file.
        questions: what a reader is asked to predict.
    """

    id: str
    path: Path
    about: str
    operation: Operation
    profile: str
    clauses: tuple[str, ...]
    source: str
    request: Request
    expect: dict[str, Expectation]
    rejects: Rejection | None
    laws: tuple[Law, ...]
    questions: tuple[Question, ...]


def law_parts(fixture: Fixture) -> Iterator[tuple[str, Law]]:
    """Yield each law with the name of its part; the second of one name is `perturbation#2`."""
    yield from zip(part_names(law.name for law in fixture.laws), fixture.laws, strict=True)


def part_names(laws: Iterator[str]) -> Iterator[str]:
    """Yield the names of parts for the names of laws in the order of the file."""
    seen: Counter[str] = Counter()
    for name in laws:
        seen[name] += 1
        yield f"{name}#{seen[name]}" if seen[name] > 1 else name
