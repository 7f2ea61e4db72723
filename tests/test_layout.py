"""Targets with an axis for heads, and files that answer requests themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnspec.cli import main
from attnspec.conformance.layout import WithHeadAxis
from attnspec.conformance.runner import check_case
from attnspec.conformance.target import LAYOUTS
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.request import Answered, Refused
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS
from plain import target as plain

HEADS = {"BHTD": 1, "BTHD": 2}
JUDGE = TruthJudge(Reference().answer)
ALL_SIZES = CORPUS.read("causal_attention/all_sizes_differ")
of_each_layout = pytest.mark.parametrize("layout", HEADS)


class WithHeads:
    """The plain reference behind an axis of one head, wherever a layout has it."""

    def __init__(self, layout: str, own: str = "") -> None:
        self.LAYOUT = layout
        self._own = own or layout
        self.seen: dict[str, tuple[int, ...]] = {}

    def causal_attention(self, **inputs: Any) -> dict[str, Any]:
        return self._with_heads(plain.causal_attention, inputs)

    def causal_attention_vjp(self, query: Any, key: Any, value: Any, output_upstream: Any) -> dict[str, Any]:
        inputs = {"query": query, "key": key, "value": value, "output_upstream": output_upstream}
        return self._with_heads(plain.causal_attention_vjp, inputs)

    def causal_softmax(self, scores: Any) -> Any:
        self.seen["scores"] = scores.shape
        return plain.causal_softmax(scores=scores)

    def _with_heads(self, function: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any]:
        self.seen = {
            name: array.shape for name, array in inputs.items()
        } | self.seen  # those of the case, not of its laws
        axis = HEADS[self._own]
        if any(array.ndim != 4 or array.shape[axis] != 1 for array in inputs.values()):
            raise ValueError("one head is expected")
        answer = function(**{name: array.squeeze(axis) for name, array in inputs.items()})
        axes = {"raw_scores": 1, "scaled_scores": 1, "probabilities": 1, "scale": None, "mask": None}
        return {name: self._opened(value, axes.get(name, axis)) for name, value in answer.items()}

    @staticmethod
    def _opened(value: Any, axis: int | None) -> Any:
        return value if axis is None else np.expand_dims(value, axis)


def parts(subject: object, case: Any) -> dict[str, Part]:
    target = WithHeadAxis(PythonTarget(subject, "with heads"))
    return {part.name: part for part in check_case(case, target, JUDGE, CORPUS.read)}


@pytest.mark.clause("conformance.25")
@of_each_layout
def test_one_head_is_put_in_on_the_way_there_and_taken_out_on_the_way_back(layout: str) -> None:
    subject = WithHeads(layout)
    found = parts(subject, ALL_SIZES)
    assert {part.verdict for part in found.values()} == {Verdict.PASSED}, found
    widths = {"query": 4, "key": 4, "value": 5, "output_upstream": 5}
    assert subject.seen == {
        name: (2, 1, 3, width) if layout == "BHTD" else (2, 3, 1, width) for name, width in widths.items()
    }


@pytest.mark.clause("conformance.25")
@of_each_layout
def test_scores_have_their_head_before_the_rows_in_every_layout(layout: str) -> None:
    fixture = CORPUS.read("causal_attention/every_upstream")
    target = WithHeadAxis(PythonTarget(WithHeads(layout), "with heads"))
    answer = target.answer(fixture.request)
    assert isinstance(answer, Answered)
    shapes = {name: np.shape(value) for name, value in answer.outputs.items()}
    assert shapes["probabilities"] == shapes["raw_scores"] == (1, 3, 3)
    assert shapes["mask"] == (3, 3)


@pytest.mark.clause("conformance.25")
def test_who_declares_a_layout_that_is_not_its_own_is_found_out() -> None:
    found = parts(WithHeads("BHTD", own="BTHD"), ALL_SIZES)["forward"]
    assert found.verdict is Verdict.FAILED
    assert "one head is expected" in str(found.findings[0])


@pytest.mark.clause("conformance.25")
@of_each_layout
def test_an_answer_without_the_declared_head_or_with_two_fails(layout: str) -> None:
    for change in (lambda output: output.squeeze(HEADS[layout]), lambda output: output.repeat(2, HEADS[layout])):
        subject = WithHeads(layout)
        right = subject.causal_attention
        subject.causal_attention = lambda change=change, right=right, **inputs: change(right(**inputs)["output"])  # type: ignore[method-assign]
        found = parts(subject, ALL_SIZES)["forward"]
        assert found.verdict is Verdict.FAILED
        assert "an axis of one head is expected" in str(found.findings[0])


@pytest.mark.clause("conformance.25")
@of_each_layout
def test_a_wrong_rank_stays_wrong_and_other_operations_have_no_heads(layout: str) -> None:
    subject = WithHeads(layout)
    target = WithHeadAxis(PythonTarget(subject, "with heads"))
    assert isinstance(target.answer(CORPUS.read("causal_attention/rejected/query_rank").request), Refused)
    assert isinstance(target.answer(CORPUS.read("causal_softmax/three_tokens").request), Answered)
    assert subject.seen["scores"] == (3, 3)


@pytest.mark.clause("conformance.25")
def test_a_layout_is_declared_in_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "heads.py"
    text = (
        "import numpy as np\n"
        "LAYOUT = 'BHTD'\n"
        "def causal_attention(query, key, value):\n"
        "    assert query.shape[1] == 1\n"
        "    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])\n"
        "    weights = np.tril(np.exp(scores - scores.max(axis=-1, keepdims=True)))\n"
        "    return weights / weights.sum(axis=-1, keepdims=True) @ value\n"
    )
    asked = ["-k", "causal_attention/all_sizes or causal_attention/three_tokens"]
    for layout, way, status in (("BHTD", [], 0), ("BTD", ["--in-process"], 1)):
        path.write_text(text.replace("BHTD", layout))
        assert main(["check", str(path), *asked, *way]) == status
    assert ("BTD", *HEADS) == LAYOUTS
    assert "AssertionError" in capfd.readouterr().out


ITSELF = """
from attnspec.conformance.target import Declaration
from attnspec.corpus.request import Refused
from attnspec.targets.reference import Reference

class Itself:
    declaration = Declaration("itself", operations=("causal_attention",), has_details=DETAILS)

    def answer(self, request):
        reply = Reference().answer(request)
        return Refused(reply.code, {"query": 99}, "no") if isinstance(reply, Refused) else reply

TARGET = Itself()
"""


@pytest.mark.clause("conformance.27")
@pytest.mark.parametrize("way", [[], ["--in-process"]])
def test_a_file_may_hold_a_target_that_answers_requests_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: list[str]
) -> None:
    path = tmp_path / "itself.py"
    path.write_text(ITSELF.replace("DETAILS", "False"))
    assert main(["check", str(path), "--level", "bits", "-k", "three_tokens", *way]) == 0
    out = capsys.readouterr().out
    assert "itself, level bits" in out


@pytest.mark.clause("conformance.27")
@pytest.mark.parametrize(("details", "status"), [("False", 0), ("True", 1)])
def test_who_declares_details_is_held_to_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], details: str, status: int
) -> None:
    path = tmp_path / "itself.py"
    path.write_text(ITSELF.replace("DETAILS", details))
    assert main(["check", str(path), "--in-process", "-k", "causal_attention/rejected/width_mismatch"]) == status
    assert ("details.query: expected" in capsys.readouterr().out) == (status == 1)


@pytest.mark.clause("conformance.27")
@pytest.mark.parametrize("text", ["TARGET = 5", "class T: declaration = 'me'\nTARGET = T()"])
def test_a_target_that_answers_nothing_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "odd.py"
    path.write_text(text)
    assert main(["check", str(path), "--in-process"]) == 2
    err = capsys.readouterr().err
    assert "TARGET has no declaration or no answer(request)" in err
    assert err.count("\n") == 1
