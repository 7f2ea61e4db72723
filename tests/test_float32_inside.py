"""A target that computes in float32 inside is told so, and a wrong one is not told that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnspec.conformance.narrow_inside import FLOAT32_INSIDE
from attnspec.conformance.runner import check_case
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Verdict
from attnspec.targets.loading import load_target
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS

BROKEN = Path(__file__).parent / "broken"


@pytest.mark.parametrize(
    ("twin", "case", "is_told"),
    [
        ("softmax_in_single_precision", "causal_softmax/denominator_reading", True),
        ("exp_in_single_precision", "exponential/halves_and_tenths", True),
        ("j3_scale_missing", "causal_attention/three_tokens", False),
        ("c1_one_ahead", "causal_mask/four_tokens", False),
    ],
)
@pytest.mark.clause("conformance.12")
def test_what_is_off_by_float32_is_told_so(twin: str, case: str, is_told: bool) -> None:
    judge = TruthJudge(Reference().answer)
    parts = list(check_case(CORPUS.read(case), load_target(str(BROKEN / f"{twin}.py")), judge, CORPUS.read))
    wrong = [part for part in parts if part.verdict is Verdict.FAILED and part.name in ("forward", "gradients")]
    assert wrong
    assert {FLOAT32_INSIDE in part.findings for part in wrong} == {is_told}
