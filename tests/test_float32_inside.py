"""A target that computes in float32 inside is told so, and a wrong one is not told that it does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.conformance.narrow_inside import FLOAT32_INSIDE
from attnspec.conformance.runner import check_case
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Verdict
from attnspec.numeric.exponential import exponential
from attnspec.targets.loading import load_target
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS

FloatArray = NDArray[np.float64]
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


def test_what_is_no_matter_of_numbers_is_not_told_so() -> None:
    class Writing:
        @staticmethod
        def exponential(x: FloatArray) -> FloatArray:
            x *= 2.0
            return exponential(x / 2.0)

    judge = TruthJudge(Reference().answer)
    case = CORPUS.read("exponential/halves_and_tenths")
    parts = list(check_case(case, PythonTarget(Writing, "writing"), judge, CORPUS.read))
    assert [part.verdict for part in parts if part.name == "forward"] == [Verdict.FAILED]
    assert not any(FLOAT32_INSIDE in part.findings for part in parts)
