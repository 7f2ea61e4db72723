"""What was asked for, row by row, phrase by phrase and kind by kind, against the cases and clauses that hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import yaml

from attnspec.attention.qkv_initialization import qkv_initialization
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import golden_path, read_golden
from attnspec.corpus.values import decode, inputs_sha256
from attnspec.errors import BranchError
from attnspec.numeric.splitmix64 import SplitMix64
from check_order import BEFORE_COMPUTING, CHECKS, every_pair, failing, pairs
from corpus_cases import CORPUS, ROOT, fixtures, rejected
from house.sources import holds
from requirement_checks import Document, kind_faults, phrase_faults, row_faults

QUESTIONS = {"A18": 10, "C17": 9}  # the key sets of the three rows are one question there and three here


@cache
def requirements() -> Document:
    document: Document = yaml.safe_load((ROOT / "tests/requirements.yaml").read_text(encoding="utf-8"))
    return document


def test_every_row_has_its_cases_and_they_hold_what_it_states() -> None:
    holds(row_faults(requirements()["rows"]))


def test_every_phrase_has_its_cases_forward_and_backward() -> None:
    holds(phrase_faults(requirements()["phrases"]))


def test_every_kind_of_report_in_scope_has_cases_one_of_which_names_a_report() -> None:
    holds(kind_faults(requirements()["kinds"]))


@pytest.mark.parametrize("operation", CHECKS)
def test_the_cases_tell_every_order_of_checks_from_the_right_one(operation: str) -> None:
    """An implementation that makes its checks in another order gets some case wrong."""
    mine = [fixture for fixture in fixtures() if rejected(fixture) and fixture.operation.name == operation]
    assert [fixture.id for fixture in mine if not failing(fixture)] == []
    holds(untold(operation, mine))


def test_a_case_of_checks_that_is_taken_away_is_missed() -> None:
    mine = [fixture for fixture in fixtures() if rejected(fixture) and fixture.operation.name == "qkv_initialization"]
    without = [fixture for fixture in mine if not fixture.id.endswith("prefix_before_model_width")]
    assert untold("qkv_initialization", mine) == []
    assert untold("qkv_initialization", without) == [
        "name and fan_in: no case tells that name wins",
        "name and fan_out: no case tells that name wins",
    ]


def a_claim(row: str, number: int = 0) -> Callable[[Document], Document]:
    def of(document: Document) -> Document:
        claim: Document = document["rows"][row]["claims"][number]
        return claim

    return of


PLANTED: list[tuple[str, Callable[[Document], Any], str]] = [
    ("rows", lambda d: d["rows"].pop("C9"), "C9: the row is missing"),
    ("rows", lambda d: d["rows"].update(A19={"says": "", "claims": []}), "A19: no such row"),
    ("rows", lambda d: d["rows"]["A2"].update(claims=[]), "A2: no claim"),
    ("rows", lambda d: a_claim("A9")(d).update(cases=["qkv_projection/none"]), "qkv_projection/none: no such case"),
    ("rows", lambda d: a_claim("A1")(d).update(clauses=["attention.99"]), "attention.99: no such clause"),
    ("rows", lambda d: a_claim("A7")(d).update(tests=["test_fixtures.py::test_none"]), "no such test"),
    ("rows", lambda d: [c.pop("clauses", None) for c in d["rows"]["A17"]["claims"]], "A17: no clause states it"),
    ("rows", lambda d: [c.pop("cases", None) for c in d["rows"]["C9"]["claims"]], "C9: no case"),
    ("rows", lambda d: a_claim("A4")(d)["holds"].update(loss=-2.5), "no case has loss = -2.5"),
    ("rows", lambda d: a_claim("B4")(d)["holds"]["output"][0][1].__setitem__(1, -2.994909), "no case has output"),
    ("rows", lambda d: a_claim("A15", 1)(d)["holds"]["weight"][0].__setitem__(0, 0.1), "no case has weight"),
    ("rows", lambda d: a_claim("A6")(d)["shapes"].update(query=[0, 2, 3]), "no case has query of shape [0, 2, 3]"),
    ("rows", lambda d: a_claim("A5")(d)["laws"]["gradient_check"].update(step=2e-6), "no case has the law"),
    ("rows", lambda d: a_claim("C9")(d)["laws"]["perturbation"]["replace"]["key"].update({"with": [1, 4]}), "law"),
    ("rows", lambda d: a_claim("A13")(d)["rejects"]["details"].update(rank=1), "no case is refused"),
    ("rows", lambda d: a_claim("A17")(d)["words"].append("three-matrix schemes"), "nowhere: three-matrix schemes"),
    ("rows", lambda d: a_claim("A18", 3)(d)["asks"]["values"].update(count=17), "no question is answered"),
    ("rows", lambda d: a_claim("A1")(d).update(case=["attention/none"]), "case: no such entry"),
    ("phrases", lambda d: d["phrases"]["width 8"]["attention"].update(forward=["width_9"]), "attention/width_9: no"),
    ("phrases", lambda d: d["phrases"]["width 8"]["scaled_scores"].update(backward=["width_8"]), "nothing goes back"),
    ("phrases", lambda d: d["phrases"]["width 8"].update(attention={}), "width 8: attention: no case"),
    ("phrases", lambda d: d["phrases"].update({"width 9": {}}), "width 9: no operation"),
    ("kinds", lambda d: d["kinds"].pop("S1"), "S1: the kind is missing"),
    ("kinds", lambda d: d["kinds"]["S1"].update(cases=["attention/none"]), "attention/none: no such case"),
    ("kinds", lambda d: d["kinds"]["S1"].update(reports=["owner/repo#1"]), "S1: no case names a report"),
]


@pytest.mark.parametrize(("section", "plant", "fault"), PLANTED)
def test_a_planted_gap_is_caught(section: str, plant: Callable[[Document], Any], fault: str) -> None:
    twin = deepcopy(requirements())
    plant(twin)
    check = {"rows": row_faults, "phrases": phrase_faults, "kinds": kind_faults}[section]
    found = check(twin[section])
    assert any(fault in line for line in found), found


@pytest.mark.parametrize(("row", "questions"), QUESTIONS.items())
def test_every_question_of_a_row_is_in_a_fixture(row: str, questions: int) -> None:
    assert len(requirements()["rows"][row]["claims"]) == questions


def test_a_case_with_upstreams_that_not_every_target_takes_has_a_twin_without_them() -> None:
    assert without_twin(fixtures()) == []


def test_a_case_whose_twin_is_taken_away_is_caught() -> None:
    others = [fixture for fixture in fixtures() if fixture.id != "attention/four_columns"]
    assert without_twin(others) == ["attention/upstream_for_scores"]


@pytest.mark.clause("tape.17")
@pytest.mark.parametrize(("prefix", "model_width", "head_width"), [("p", 3, 0), ("p", 0, 2), ("p.", 3, 2)])
def test_a_refused_initialisation_leaves_the_generator_as_it_was(
    prefix: str, model_width: int, head_width: int
) -> None:
    generator = SplitMix64(26)
    with pytest.raises(BranchError):
        qkv_initialization(prefix, model_width, head_width, generator)
    assert generator.state == 26


@pytest.mark.clause("tape.17")
def test_the_weights_of_seed_26_differ_from_each_other_and_come_again() -> None:
    first, second = SplitMix64(26), SplitMix64(26)
    drawn, again = (qkv_initialization("p", 3, 2, generator) for generator in (first, second))
    weights = [getattr(drawn, f"{branch}_weight").array for branch in ("query", "key", "value")]
    assert len({weight.tobytes() for weight in weights}) == 3
    assert [getattr(again, f"{branch}_weight").array.tobytes() for branch in ("query", "key", "value")] == [
        weight.tobytes() for weight in weights
    ]
    assert first.state == second.state != 26


@pytest.mark.clause("causal_softmax.3")
def test_zeroing_after_the_softmax_leaves_the_published_row_sums() -> None:
    golden = read_golden(golden_path(CORPUS.read("attention/three_tokens").path))
    probabilities = np.asarray(decode(golden.parts["outputs"]["probabilities"]))
    assert np.tril(probabilities[0]).sum(axis=1) == pytest.approx([0.012669, 0.893039, 1.0], abs=5e-7)


# Twins: the same inputs, with upstreams of required outputs only


def without_twin(fixtures: Iterable[Fixture]) -> list[str]:
    backward = [fixture for fixture in fixtures if fixture.rejects is None and fixture.request.upstream]
    mild = {asked(fixture) for fixture in backward if not beyond(fixture)}
    return [fixture.id for fixture in backward if beyond(fixture) and asked(fixture) not in mild]


def beyond(fixture: Fixture) -> set[str]:
    """The upstreams of outputs that are not required of a target."""
    return fixture.request.upstream.keys() - {*fixture.operation.required}


def asked(fixture: Fixture) -> str:
    """The operation and its inputs, as one text."""
    return inputs_sha256(replace(fixture.request, upstream={}))


# Checks: the cases show which of two faults wins, and what follows from that for an order


def untold(operation: str, cases: list[Fixture]) -> list[str]:
    """The pairs of checks of which the cases, taken together, do not tell the winner."""
    told = pairs(cases)
    after = followers(operation, told)
    apart = {(first, second) for first, second, _ in requirements()["never_together"].get(operation, ())}
    met = [f"{first} and {second} fail together in {told[first, second]}" for first, second in apart & told.keys()]
    return met + [
        f"{first} and {second}: no case tells that {first} wins"
        for first, second in every_pair(operation)
        if second not in after[first] and (first, second) not in apart and not uncomputed(first, second)
    ]


def followers(operation: str, told: Mapping[tuple[str, str], str]) -> dict[str, set[str]]:
    """For each check those that must come after it: what a case tells, and what follows step by step."""
    after: dict[str, set[str]] = {name: set() for name in CHECKS[operation]}
    for first, second in told:
        after[first].add(second)
    for name in reversed(CHECKS[operation]):
        after[name].update(*(after[second] for second in tuple(after[name])))
    return after


def uncomputed(first: str, second: str) -> bool:
    """Where the first is a fault of shape, nothing is computed that could overflow."""
    return first.split()[0] in BEFORE_COMPUTING and second.startswith("overflow")
