"""Goldens against what was written by hand; laws and refusals of the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.runner import check_case
from attnspec.conformance.verdicts import Verdict, worst
from attnspec.corpus.expectations import answer_values, compare_expectation
from attnspec.corpus.fixture import Fixture, law_parts
from attnspec.corpus.goldens import golden_path, read_golden
from attnspec.corpus.lint import lint_file
from attnspec.corpus.request import Answered, Refused, Reply, Request, Value
from attnspec.corpus.values import decode
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, accepted, cases, fixtures, is_long, rejected

CLAUSES = CORPUS.clauses()


@cases(lambda fixture: True, computes=False)
def test_every_fixture_is_without_fault(fixture: Fixture) -> None:
    assert [str(fault) for fault in lint_file(fixture.path, CORPUS.root, CLAUSES)] == []


@cases(lambda fixture: bool(fixture.expect))
def test_the_golden_is_what_was_written_by_hand(fixture: Fixture) -> None:
    forms = read_golden(golden_path(fixture.path)).flat()
    answer = Reference().answer(fixture.request)
    assert isinstance(answer, Answered)
    computed = answer_values(fixture, answer)  # held to the golden by tests/test_goldens.py
    for name, expectation in fixture.expect.items():
        held_by_digests = isinstance(forms[name], dict) and "rows" in forms[name]
        value = computed[name] if held_by_digests else decode(forms[name])
        assert list(map(str, compare_expectation(name, expectation, value))) == []


@cases(lambda fixture: True)
def test_the_reference_answers_keeps_the_laws_and_refuses(fixture: Fixture) -> None:
    parts = list(check_case(fixture, Reference(), GoldenJudge(), CORPUS.read))
    found = [f"{part.name}: {finding}" for part in parts for finding in part.findings]
    assert worst(part.verdict for part in parts) is Verdict.PASSED, "\n".join(found)


class Twin:
    """The reference with one thing done to its replies."""

    declaration = Reference.declaration

    def __init__(self, change: Callable[[Request, Reply], Reply]) -> None:
        self.change = change

    def answer(self, request: Request) -> Reply:
        return self.change(request, Reference().answer(request))


def one_ulp(request: Request, reply: Reply) -> Reply:
    """Move one element of the first non-empty output by one ulp."""
    if not isinstance(reply, Answered):
        return reply
    outputs = dict(reply.outputs)
    for name, value in outputs.items():
        if has_numbers(value):
            moved = np.array(value)
            place = int(np.argmax(np.isfinite(moved.reshape(-1))))
            cells = moved.reshape(-1)
            cells[place] = np.nextafter(cells[place], -np.copysign(np.inf, cells[place]))
            return replace(reply, outputs={**outputs, name: moved})
    return reply


def refuse_nothing(request: Request, reply: Reply) -> Reply:
    return Answered({}) if isinstance(reply, Refused) else reply


def other_code(request: Request, reply: Reply) -> Reply:
    return replace(reply, code="rank_of_something") if isinstance(reply, Refused) else reply


def other_details(request: Request, reply: Reply) -> Reply:
    return replace(reply, details={"surprise": 1}) if isinstance(reply, Refused) else reply


def verdict(fixture: Fixture, twin: Twin) -> Verdict:
    return worst(part.verdict for part in check_case(fixture, twin, GoldenJudge(), CORPUS.read))


@pytest.mark.parametrize("change", [refuse_nothing, other_code, other_details])
def test_a_refusal_that_is_not_the_expected_one_fails(change: Callable[[Request, Reply], Reply]) -> None:
    assert {verdict(fixture, Twin(change)) for fixture in fixtures() if rejected(fixture)} == {Verdict.FAILED}


def test_an_output_that_is_one_ulp_off_fails_its_case() -> None:
    moved = [one for one in fixtures() if accepted(one) and not is_long(one) and has_floats(one)]
    passed = [fixture.id for fixture in moved if verdict(fixture, Twin(one_ulp)) is Verdict.PASSED]
    assert passed == []


def has_floats(fixture: Fixture) -> bool:
    answer = Reference().answer(fixture.request)
    assert isinstance(answer, Answered)
    return any(has_numbers(value) for value in answer.outputs.values())


def has_numbers(value: Value) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64 and bool(np.isfinite(value).any())


def drifting() -> Callable[[Request, Reply], Reply]:
    """Answer every second time a little differently."""
    turn = iter(range(10**9))
    return lambda request, reply: one_ulp(request, reply) if next(turn) % 2 else reply


def test_two_runs_that_differ_break_the_replay() -> None:
    fixture = CORPUS.read("causal_attention/three_tokens")
    parts = {part.name: part.verdict for part in check_case(fixture, Twin(drifting()), GoldenJudge(), CORPUS.read)}
    assert parts["forward"] is Verdict.PASSED
    assert parts["replay"] is Verdict.FAILED


def test_every_law_of_the_closed_set_stands_in_some_fixture() -> None:
    stated = {law.name for fixture in fixtures() for _, law in law_parts(fixture)}
    assert stated == {
        "perturbation",
        "prefix_extension",
        "batch_isolation",
        "zero_gradient",
        "row_sums",
        "same_as",
        "isolation",
        "gradient_check",
    }
