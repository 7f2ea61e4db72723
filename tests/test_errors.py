"""What a refusal says, and which one it is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from attnspec.attention.causal_attention import causal_attention
from attnspec.attention.qkv_parameters import qkv_parameters
from attnspec.attention.scaled_scores import scaled_scores
from attnspec.autodiff.tape import Tape, Value
from attnspec.conformance.refusals import check_refusal
from attnspec.conformance.verdicts import Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Refused
from attnspec.errors import (
    ERRORS,
    BatchMismatchError,
    BranchError,
    EmptySegmentError,
    InitializationError,
    NonFiniteLeafError,
    NonFiniteResultError,
    RankError,
    SpecificationError,
    TokenMismatchError,
)
from attnspec.numeric.tensor import Tensor
from corpus_cases import CORPUS, ROOT, cases, rejected

ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \|(.*)\|$", re.MULTILINE)


def leaf(*shape: int, name: str = "query") -> Value:
    return Tape().parameter(Tensor(np.zeros(shape)), name)


@pytest.mark.clause("errors.1")
def test_the_page_lists_every_error_with_its_class_and_fields() -> None:
    page = (ROOT / "spec" / "errors.md").read_text(encoding="utf-8")
    listed = {code: (kind, re.findall(r"`(\w+)`", names)) for code, kind, names in ROW.findall(page)}
    actual = {code: (kind.__name__, [field.name for field in fields(kind)]) for code, kind in ERRORS.items()}  # type: ignore[arg-type]
    assert listed == actual


@pytest.mark.clause("errors.3")
def test_a_field_that_does_not_apply_is_left_out() -> None:
    with pytest.raises(BatchMismatchError) as caught:
        scaled_scores(leaf(1, 2, 3), leaf(2, 2, 3, name="key"))
    assert caught.value.details == {"query": 1, "key": 2}
    assert str(caught.value) == "batch sizes differ: query 1, key 2"


@pytest.mark.clause("errors.4")
def test_an_error_that_arises_from_another_keeps_it_as_a_field_and_in_the_chain() -> None:
    weights = [leaf(3, 2, name=f"{branch}_weight") for branch in ("query", "key", "value")]
    with pytest.raises(BranchError) as caught:
        qkv_parameters(("a", "b..c", "d"), *weights)
    assert caught.value.details == {"branch": "key", "cause": {"error": "empty_segment", "details": {"index": 2}}}
    assert isinstance(caught.value.__cause__, EmptySegmentError)
    with pytest.raises(InitializationError) as joint:
        qkv_parameters(("a", "b", "a"), *weights)
    assert joint.value.__cause__ is joint.value.cause


@pytest.mark.clause("errors.5")
def test_the_first_failing_check_wins_whatever_else_is_wrong() -> None:
    operands = [leaf(1, 0, 3), leaf(2, 4, name="key"), leaf(2, 4, 0, name="value")]
    with pytest.raises(RankError) as caught:
        causal_attention(*operands)
    assert caught.value.details == {"tensor": "key", "rank": 2, "expected": 3}
    operands[1] = leaf(2, 4, 5, name="key")
    with pytest.raises(BatchMismatchError):
        causal_attention(*operands)
    with pytest.raises(TokenMismatchError):
        causal_attention(leaf(2, 0, 3), *operands[1:])


@pytest.mark.clause("errors.6")
@pytest.mark.clause("tape.3")
def test_leaves_come_before_shapes_and_shapes_before_stages() -> None:
    from attnspec.corpus.request import Request
    from attnspec.targets.reference import Reference

    huge, nan = np.full((1, 2, 3), 1e300), np.full((1, 2, 4), np.nan)
    ask = Reference().answer

    def code(query: np.ndarray, key: np.ndarray, **upstream: np.ndarray) -> str | None:
        reply = ask(Request("scaled_scores", {"query": query, "key": key}, upstream))
        assert isinstance(reply, Refused)
        return reply.code if "tensor" not in reply.details else f"{reply.code} {reply.details['tensor']}"

    assert code(huge, nan) == "non_finite_leaf key"
    assert code(huge, np.ones((1, 2, 4))) == "width_mismatch"
    assert (
        code(huge, np.ones((1, 2, 4)), raw_scores=np.full((1, 2, 2), np.inf)) == "non_finite_leaf raw_scores_upstream"
    )
    assert code(huge, huge) == "non_finite_result"


@pytest.mark.clause("tape.4")
def test_the_first_stage_that_fails_is_the_one_reported() -> None:
    record = Tape()
    big = Tensor(np.full((1, 1, 1), 1e200))
    operands = [record.parameter(big, name) for name in ("query", "key", "value")]
    with pytest.raises(NonFiniteResultError) as caught:
        causal_attention(*operands)
    assert caught.value.stage == "raw_scores"


@pytest.mark.clause("errors.8")
def test_the_index_is_flat_and_row_major_and_the_value_keeps_its_sign() -> None:
    values = np.zeros((2, 2, 2))
    values[1, 0, 1] = -np.inf
    values[1, 1, 0] = np.nan
    with pytest.raises(NonFiniteLeafError) as caught:
        Tape().parameter(Tensor(values), "value")
    assert caught.value.details == {"tensor": "value", "index": 5, "value": -np.inf}


@pytest.mark.clause("errors.9")
@cases(rejected)
def test_tensors_operands_branches_and_stages_are_named_as_the_vocabulary_names_them(fixture: Fixture) -> None:
    assert fixture.rejects is not None
    operation, details = fixture.operation, fixture.rejects.details
    upstreams = {f"{name}_upstream" for name in operation.upstreams}
    stages = {*operation.outputs, *(f"gradients.{name}" for name in operation.gradients)}
    assert details.get("tensor") in {None, *operation.inputs, *upstreams}
    assert details.get("operand") in {None, *operation.inputs}
    assert details.get("branch") in {None, "query", "key", "value"}
    assert details.get("stage") in {None, *stages}


@pytest.mark.clause("errors.10")
def test_a_wrong_detail_fails_the_reference_and_is_reported_of_others() -> None:
    fixture = CORPUS.read("causal_mask/rejected/negative_tokens")
    assert fixture.rejects is not None
    right = Refused("negative_tokens", dict(fixture.rejects.details))
    wrong = Refused("negative_tokens", {"tokens": 7})
    other = Refused("mask_overflow", dict(fixture.rejects.details))
    assert check_refusal(fixture, fixture.rejects, right, compare_details=True).verdict is Verdict.PASSED
    assert check_refusal(fixture, fixture.rejects, wrong, compare_details=True).verdict is Verdict.FAILED
    reported = check_refusal(fixture, fixture.rejects, wrong, compare_details=False)
    assert (reported.verdict, "tokens" in reported.remark) == (Verdict.PASSED, True)
    assert check_refusal(fixture, fixture.rejects, other, compare_details=False).verdict is Verdict.FAILED


@pytest.mark.clause("errors.11")
@pytest.mark.parametrize(("text", "value"), [(".inf", np.inf), ("-.inf", -np.inf), (".nan", np.nan)])
def test_a_number_that_is_not_finite_is_written_with_a_dot(tmp_path: Path, text: str, value: float) -> None:
    fixture = tmp_path / "exponential" / "special.yaml"
    fixture.parent.mkdir()
    fixture.write_text(
        "about: special\noperation: exponential\nprofile: finite\nclauses: [exponential.1]\nsource: oracle\n"
        f"inputs:\n  x: [{text}]\n",
        encoding="utf-8",
    )
    from attnspec.corpus.lint import read_fixture

    read = read_fixture(fixture, tmp_path).request.inputs["x"]
    np.testing.assert_array_equal(read, np.array([value]))


def test_every_error_says_what_is_wrong_in_one_line() -> None:
    for kind in ERRORS.values():
        names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
        error: SpecificationError = kind(*range(len(names)))
        assert "\n" not in str(error)
        assert "{" not in str(error)
