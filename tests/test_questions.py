"""What the questions of the fixtures answer by machine, against goldens and the verdicts of laws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.runner import check_case
from attnspec.conformance.verdicts import Verdict
from attnspec.corpus.expectations import compare_expectation
from attnspec.corpus.fixture import Answer, Expectation, Fixture, Part, Perturbation, Visible
from attnspec.corpus.goldens import golden_path, read_golden
from attnspec.corpus.values import decode
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, cases, fixtures

THREE_TOKENS = "causal_attention/three_tokens"


def proof(answer: Answer) -> str | None:
    """What the answer shows beside its text."""
    return next(iter(answer.written - {"text"}), None)


@pytest.mark.clause("fixture_format.39")
@cases(lambda fixture: any(proof(question.answer) for question in fixture.questions))
def test_every_answer_that_a_machine_can_check_is_right(fixture: Fixture) -> None:
    wrong = [f"{question.ask}: {fault}" for question in fixture.questions for fault in faults(fixture, question.answer)]
    assert wrong == []


def test_every_kind_of_proof_answers_some_question() -> None:
    answers = [question.answer for fixture in fixtures() for question in fixture.questions]
    assert {proof(answer) for answer in answers} == {"visible", "shapes", "values", "law", None}


def visible(row: int, *keys: int) -> Answer:
    return Answer(text="", visible=Visible(row=row, keys=keys))


def values(name: str, at: tuple[int, ...], numbers: Any, within: float | None = None) -> Answer:
    part = Part(at=at, within=within, values=np.asarray(numbers, dtype=np.float64))
    return Answer(text="", values={name: part})


def shape(*sizes: int) -> Answer:
    return Answer(text="", shapes={"output": sizes})


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (visible(1, 0, 1), True),
        (visible(1, 0), False),
        (visible(1, 0, 1, 2), False),
        (visible(2, 0, 1), False),
        (shape(1, 3, 2), True),
        (shape(3, 2), False),
        (values("output", (0, 0), [3, -3]), True),
        (values("output", (0, 0), [3, -3.0000000000000004]), False),
        (values("probabilities", (0, 2, 1), 0.108383, 5e-7), True),
        (values("probabilities", (0, 2, 1), 0.108384, 5e-7), False),
        (values("gradients.query", (0, 0), [0, 0]), True),
        (values("loss", (), -0.716214, 5e-7), True),
        (values("loss", (), -0.716, 5e-7), False),
    ],
)
def test_a_wrong_answer_is_caught(answer: Answer, right: bool) -> None:
    assert (list(faults(CORPUS.read(THREE_TOKENS), answer)) == []) is right


def test_an_answer_by_a_law_that_does_not_hold_is_caught() -> None:
    fixture = CORPUS.read("qkv_projection/only_the_query_weight_changes")
    law = fixture.laws[0]
    broken = replace(fixture, laws=(Perturbation(**vars(law) | {"unchanged": {"query": ((),)}}),))
    answer = Answer(text="", law="perturbation")
    assert list(faults(fixture, answer)) == []
    assert list(faults(broken, answer)) == ["the law perturbation failed"]


def faults(fixture: Fixture, answer: Answer) -> Iterator[str]:
    """Where the golden, or the verdict of a law, says otherwise."""
    if answer.law is not None:
        parts = check_case(fixture, Reference(), GoldenJudge(), CORPUS.read)
        verdict = {part.name: part.verdict for part in parts}[answer.law]
        if verdict is not Verdict.PASSED:
            yield f"the law {answer.law} {verdict.value}"
    if answer.visible is not None:
        row = np.asarray(golden_value(fixture, "mask"))[answer.visible.row]
        if tuple(np.flatnonzero(row == 0.0)) != answer.visible.keys:
            yield f"row {answer.visible.row} of the mask is {row}"
    for name, sizes in (answer.shapes or {}).items():
        found = golden_form(fixture, name)["shape"]
        if tuple(found) != sizes:
            yield f"{name} has the shape {found}"
    for name, part in (answer.values or {}).items():
        value = golden_value(fixture, name)
        here = np.asarray(value[part.at]) if isinstance(value, np.ndarray) else value
        expected = Expectation(values=part.values, within=part.within)
        yield from map(str, compare_expectation(name, expected, here))


def golden_form(fixture: Fixture, name: str) -> Any:
    return read_golden(golden_path(fixture.path)).flat()[name]


def golden_value(fixture: Fixture, name: str) -> Any:
    return decode(golden_form(fixture, name))
