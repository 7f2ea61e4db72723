"""Clauses and what cites them, both ways: nothing cited that is not there, nothing there that no case shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from attnspec.corpus.vocabulary import OPERATIONS
from house.sources import PAGES_WITHOUT_FIXTURES, ROOT, clauses, holds, modules


def test_every_page_numbers_its_clauses_from_one_without_a_gap() -> None:
    holds(misnumbered(ROOT / "spec"))


def test_fixtures_cite_clauses_that_exist_and_every_clause_of_an_operation_has_one() -> None:
    holds(faults(ROOT / "spec", fixture_citations(ROOT / "fixtures"), set(OPERATIONS)))


def test_tests_cite_clauses_that_exist_and_every_clause_of_a_page_without_fixtures_has_one() -> None:
    holds(faults(ROOT / "spec", mark_citations(ROOT / "tests"), PAGES_WITHOUT_FIXTURES))


PAGE = """# Tape

**tape.1** A leaf is finite, says tape.7.

**tape.2** *(definition)* A leaf is what is given.

**tape.3** *(withdrawn)* Leaves are infinite.

**tape.4** The rest.
"""


@pytest.mark.parametrize(
    ("cited", "fault"),
    [
        (["tape.1", "tape.4"], []),
        (["tape.1", "tape.2", "tape.4"], []),
        (["tape.1"], ["tape.4: nothing cites it"]),
        (["tape.1", "tape.4", "tape.5"], ["here cites tape.5, which does not exist"]),
        (["tape.1", "tape.3", "tape.4"], ["here cites tape.3, which was withdrawn"]),
    ],
)
def test_a_planted_fault_between_clauses_and_citations_is_caught(
    tmp_path: Path, cited: list[str], fault: list[str]
) -> None:
    (tmp_path / "tape.md").write_text(PAGE, encoding="utf-8")
    assert faults(tmp_path, [("here", clause) for clause in cited], {"tape"}) == fault


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("**tape.4**", "**tape.5**"),
        ("tape.4**", "tape.1**"),
        ("**tape.1**", "**types.1**"),
        ("# Tape", "**tape.1** X."),
    ],
)
def test_a_planted_misnumbering_is_caught(tmp_path: Path, there: str, instead: str) -> None:
    (tmp_path / "tape.md").write_text(PAGE, encoding="utf-8")
    assert misnumbered(tmp_path) == []
    (tmp_path / "tape.md").write_text(PAGE.replace(there, instead), encoding="utf-8")
    assert misnumbered(tmp_path) != []


def test_citations_of_tests_are_found_wherever_the_mark_stands(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "pytestmark = [pytest.mark.clause('tape.1')]\n"
        "@mark.clause('tape.2', 'tape.3')\n"
        "class TestIt:\n"
        "    @pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.clause('tape.4'))])\n"
        "    def test_it(x): 'pytest.mark.clause(\"tape.5\")'  # pytest.mark.clause('tape.6')\n",
        encoding="utf-8",
    )
    assert {clause for _, clause in mark_citations(tmp_path)} == {"tape.1", "tape.2", "tape.3", "tape.4"}


def test_citations_of_fixtures_are_found_in_accepted_and_rejected_ones(tmp_path: Path) -> None:
    (tmp_path / "tape/rejected").mkdir(parents=True)
    (tmp_path / "tape/one.yaml").write_text("clauses: [tape.1, tape.2]", encoding="utf-8")
    (tmp_path / "tape/rejected/two.yaml").write_text("clauses:\n- tape.3\n", encoding="utf-8")
    assert {clause for _, clause in fixture_citations(tmp_path)} == {"tape.1", "tape.2", "tape.3"}


def faults(spec: Path, citations: list[tuple[str, str]], owed: set[str]) -> list[str]:
    """Citations of clauses that do not stand, and clauses of the owed pages that no citation reaches."""
    kinds = {clause: kind for found in clauses(spec).values() for clause, kind in found}
    cited = {clause for _, clause in citations}
    absent = [f"{by} cites {clause}, which does not exist" for by, clause in citations if clause not in kinds]
    dead = [f"{by} cites {clause}, which was withdrawn" for by, clause in citations if kinds.get(clause) == "withdrawn"]
    bound = [clause for page in sorted(owed) for clause, kind in clauses(spec).get(page, []) if not kind]
    return absent + dead + [f"{clause}: nothing cites it" for clause in bound if clause not in cited]


def misnumbered(spec: Path) -> list[str]:
    """Pages whose clauses are not <page>.1, <page>.2, … in this order."""
    return [
        page
        for page, found in clauses(spec).items()
        if [clause for clause, _ in found] != [f"{page}.{number + 1}" for number in range(len(found))]
    ]


def fixture_citations(fixtures: Path) -> list[tuple[str, str]]:
    """(case, clause) for every clause that a fixture cites."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [
        (path.relative_to(fixtures).with_suffix("").as_posix(), str(clause))
        for path in sorted(fixtures.rglob("*.yaml"))
        for clause in yaml.load(path.read_text(encoding="utf-8"), loader).get("clauses", [])
    ]


def mark_citations(tests: Path) -> list[tuple[str, str]]:
    """(file:line, clause) for every argument of a mark `clause`."""
    return [(f"{path.name}:{line}", clause) for path, tree in modules(tests) for line, clause in _marks(tree)]


def _marks(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="clause", value=ast.Attribute(attr="mark") | ast.Name(id="mark"))):
                yield from ((node.lineno, ast.literal_eval(argument)) for argument in node.args)
