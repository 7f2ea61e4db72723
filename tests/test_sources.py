"""Where the values of the fixtures come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import pytest

from attnspec.corpus.store import Clause
from attnspec.corpus.vocabulary import OPERATIONS
from corpus_cases import CORPUS, fixtures
from house.sources import holds

REPORTS = r"(?:[\w.-]+/[\w.-]+#[0-9]+(?:, |; ))*"
ORIGIN = re.compile(REPORTS + r"(?P<origin>worked by hand|published|oracle)\b")
BY_PEOPLE = ("worked by hand", "published")


@pytest.mark.clause("fixture_format.21")
def test_every_source_says_first_where_the_values_come_from() -> None:
    holds(without_origin((fixture.id, fixture.source) for fixture in fixtures()))


def test_every_clause_of_an_operation_has_a_case_that_was_worked_by_hand_or_published() -> None:
    citations = [(clause, fixture.source) for fixture in fixtures() for clause in fixture.clauses]
    holds(without_people(CORPUS.clauses(), citations))


@pytest.mark.parametrize(
    ("source", "clear"),
    [
        ("worked by hand", True),
        ("published worked example", True),
        ("oracle, 600-bit arithmetic", True),
        ("owner/repo#12; worked by hand", True),
        ("owner/repo#12, other/repo.py#3; oracle", True),
        ("by hand", False),
        ("computed and published", False),
        ("owner/repo#12", False),
        ("the oracle", False),
        ("publishedly", False),
    ],
)
def test_a_source_that_does_not_say_so_is_caught(source: str, clear: bool) -> None:
    assert (without_origin([("a/case", source)]) == []) is clear


def test_a_clause_with_cases_of_the_oracle_alone_is_caught() -> None:
    clauses = {name: Clause(name, "", "normative") for name in ("attention.1", "attention.2", "tape.1")}
    clauses["attention.3"] = Clause("attention.3", "", "definition")
    found = without_people(clauses, [("attention.1", "worked by hand"), ("attention.2", "oracle, by 600 bits")])
    assert found == ["attention.2: no case of it was worked by hand or published"]


def without_origin(sources: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{case}: {source}" for case, source in sources if not ORIGIN.match(source)]


def without_people(clauses: Mapping[str, Clause], citations: Iterable[tuple[str, str]]) -> list[str]:
    """The normative clauses of operations that only the oracle speaks for."""
    spoken_for = {clause for clause, source in citations if origin(source) in BY_PEOPLE}
    owed = [name for name, clause in clauses.items() if clause.kind == "normative" and name.split(".")[0] in OPERATIONS]
    return [f"{name}: no case of it was worked by hand or published" for name in owed if name not in spoken_for]


def origin(source: str) -> str | None:
    found = ORIGIN.match(source)
    return found["origin"] if found else None
