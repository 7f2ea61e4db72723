"""The kill table has no hole, the README shows its figures, and the tool finds the holes that are planted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "broken"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from kill_table import KillTable, figures
from kills import Kill, Twin
from needs import Needs, redundant_cases
from signatures_of_twins import signatures

import clause_coverage as tool
import likely_bugs
from attnspec.conformance.signatures import read_signatures
from house.sources import holds
from test_broken import table


def test_every_twin_is_caught_and_every_clause_of_an_operation_is_guarded() -> None:
    holds(list(tool.faults(table())))


def test_the_figures_of_the_readme_are_those_that_are_counted() -> None:
    holds(tool.stale(tool.README.read_text(encoding="utf-8"), figures(table())))


def test_the_signatures_that_are_shipped_are_what_the_twins_fail() -> None:
    shipped = read_signatures(tool.README.parent / "spec")
    holds(list(likely_bugs.stale(shipped, signatures(table().twins, table().kills))))


def test_few_accepted_cases_are_redundant_and_each_has_a_written_reason() -> None:
    found, accepted = redundant_cases(table())
    holds(list(tool.redundancy_faults(found, accepted, tool.written_reasons())))


# A table of two clauses and two twins, and what is wrong with it when something is taken away


def twin(name: str, *breaks: str) -> Twin:
    return Twin(Path(f"{name}.py"), "A bug.", "C1", "bound", ("core",), breaks)


def kill(case: str, *clauses: str) -> Kill:
    return Kill(case, "core", clauses)


ONE, TWO = twin("one", "causal_mask.1", "causal_mask.2"), twin("two", "causal_mask.2")
KILLS = {"one": (kill("a", "causal_mask.1"), kill("b", "causal_mask.2")), "two": (kill("b", "causal_mask.2"),)}


def planted(**kills: tuple[Kill, ...]) -> KillTable:
    return KillTable((ONE, TWO), KILLS | kills, ("causal_mask.1", "causal_mask.2"))


def test_a_table_without_a_hole_has_no_fault() -> None:
    assert list(tool.faults(planted())) == []


def test_a_twin_that_nothing_catches_is_a_survivor() -> None:
    found = list(tool.faults(planted(two=())))
    assert found == ["survivor: two (core)", "two: no case that it fails cites causal_mask.2"]


def test_a_clause_that_no_failing_case_cites_is_unguarded() -> None:
    found = list(tool.faults(planted(one=KILLS["one"][1:])))
    assert found == ["unguarded: causal_mask.1", "one: no case that it fails cites causal_mask.1"]


def test_a_twin_whose_failing_cases_cite_something_else_is_told() -> None:
    vague = (*KILLS["two"], kill("c", "causal_mask.3"), kill("d", "causal_mask.4"))
    assert list(tool.faults(planted(two=vague))) == [
        "two: only 33% of the cases that it fails cite a clause that it breaks"
    ]


def test_a_case_that_alone_catches_a_twin_or_guards_a_clause_is_not_redundant() -> None:
    assert planted().lost_without("a") == ["causal_mask.1 against one"]
    assert planted().lost_without("b") == ["two", "causal_mask.2 against one", "causal_mask.2 against two"]
    twice = planted(two=(kill("b", "causal_mask.2"), kill("c", "causal_mask.2")))
    assert twice.lost_without("c") == []


@pytest.mark.parametrize(
    ("found", "reasons", "fault"),
    [
        (["a"], {"a": "it is short"}, None),
        (["a"], {}, "a: redundant, and no reason is written"),
        ([], {"a": "it is short"}, "a: a reason is written, though it is not redundant"),
        (["a", "b"], {"a": "short", "b": "short"}, "2 of 10 accepted cases are redundant; at most 15% may be"),
    ],
)
def test_redundancy_needs_a_reason_and_has_a_limit(
    found: list[str], reasons: dict[str, str], fault: str | None
) -> None:
    assert list(tool.redundancy_faults(found, 10, reasons)) == ([fault] if fault else [])


def test_a_case_that_a_requirement_or_a_law_rests_on_is_needed() -> None:
    needs = Needs()
    assert needs.of("qkv_projection/worked_example") != []
    assert any("same_as" in need for need in needs.of("attention/three_tokens"))


def test_the_figures_are_written_once_and_compared_without_their_date(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- figures -->\n<!-- /figures -->\nafter\n", encoding="utf-8")
    counted = {"clauses of operations": 2, "guarded": 2}
    assert tool.stale(readme.read_text(encoding="utf-8"), counted) != []
    tool.write_figures(readme, counted)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- figures -->\n\n| clauses of operations | guarded |")
    assert text.endswith("<!-- /figures -->\nafter\n")
    assert tool.stale(text, counted) == []
    assert tool.stale(text.replace("Python", "Jython"), counted) == []
    assert tool.stale(text, counted | {"guarded": 1}) != []


def test_the_table_can_be_read_by_people_and_by_machines() -> None:
    printed = "\n".join(tool.lines(planted()))
    assert "causal_mask.1\n    one (100%): a\ncausal_mask.2\n    one (100%): b\n    two (100%): b" in printed
    read = json.loads(json.dumps(tool.document(planted(), {"guarded": 2})))
    assert read["clauses"]["causal_mask.1"] == {"one": ["a"]}
    assert read["twins"]["two"]["cases"] == ["b"]
