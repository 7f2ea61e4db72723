"""The results of record: what stands in spec/results/ has the published form, and README's table is made of it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from corpus_cases import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import record_results
from _results import BLOCKED_OVERFLOW, FAULTS, POISONED, WIDTH_MISMATCH, Record, records
from attnspec.conformance.narrow_inside import FLOAT32_INSIDE
from attnspec.conformance.report_model import Report

RESULTS = ROOT / "spec" / "results"


def a_report(**changes: Any) -> dict[str, Any]:
    """A recorded report, with the findings of some cases changed."""
    report: dict[str, Any] = json.loads((RESULTS / "numpy.float64.json").read_text(encoding="utf-8"))
    for case in report["cases"]:
        if case["id"] in changes:
            verdict, finding = changes[case["id"]]
            part = {"name": "forward", "verdict": verdict, "findings": [finding]}
            case |= {"verdict": verdict, "parts": [part]}
    return report


REFUSED = {"message": "refused an accepted input: no code (ValueError: float16)"}


def row_of(report: dict[str, Any]) -> Record:
    return Record("made", Report.model_validate_json(json.dumps(report)))


def test_every_result_has_the_published_form_and_the_name_of_its_target_and_type() -> None:
    found = records(RESULTS)
    assert {"numpy", "torch", "onnxruntime", "jax"} <= {record.name for record in found}
    names = {f"{record.name}.{record.report.options.dtype}.json" for record in found}
    assert names == {path.name for path in RESULTS.glob("*.json")}
    assert not any(record.report.interrupted for record in found)


def test_the_table_of_readme_is_what_the_results_say() -> None:
    written = record_results.TABLE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert written is not None
    assert written.group().strip() == record_results.table().strip(), (
        "run python tools/record_results.py --write-readme"
    )


def test_a_readme_without_its_place_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "README.md").write_text("no place\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        record_results.write_table(tmp_path / "README.md")
    assert "<!-- results -->" in capsys.readouterr().err


def test_what_is_right_is_said_to_be_so() -> None:
    row = row_of(a_report())
    assert re.fullmatch(r"(\d+) of \1", row.core())
    assert row.gradients() == "right"
    assert re.fullmatch(r"\d+%", row.share())
    assert row.blocked_overflow() == "right"
    assert row.width_mismatch() == "ValueError"


def test_a_case_that_fails_is_asked_and_not_passed() -> None:
    wrong = row_of(a_report(**{"exponential/scalar": ("failed", {"message": "y", "tensor": "y"})}))
    asked = int(row_of(a_report()).core().split()[-1])
    assert wrong.core() == f"{asked - 1} of {asked}"


@pytest.mark.parametrize(
    ("case", "verdict", "finding", "said"),
    [
        (
            BLOCKED_OVERFLOW,
            "failed",
            {"message": "output", "tensor": "output", "got": "nan"},
            ("blocked_overflow", "NaN"),
        ),
        (
            BLOCKED_OVERFLOW,
            "failed",
            {"message": "output", "tensor": "output", "got": "7.0"},
            ("blocked_overflow", "wrong"),
        ),
        (BLOCKED_OVERFLOW, "failed", {"message": FLOAT32_INSIDE}, ("blocked_overflow", "right, in float32")),
        (BLOCKED_OVERFLOW, "errored", {"message": "no answer"}, ("blocked_overflow", "breaks")),
        (BLOCKED_OVERFLOW, "failed", REFUSED, ("blocked_overflow", "refused")),
        (POISONED[0], "failed", REFUSED, ("leaks", "refused")),
        (POISONED[0], "errored", {"message": "no answer"}, ("leaks", "breaks")),
        (POISONED[0], "failed", {"message": "", "tensor": "gradients.query", "got": "nan"}, ("leaks", "dQ")),
        (WIDTH_MISMATCH, "failed", {"message": "answered; expected the refusal"}, ("width_mismatch", "accepted")),
        (WIDTH_MISMATCH, "errored", {"message": "TypeError: no"}, ("width_mismatch", "breaks: TypeError")),
        (FAULTS["rank 2"], "failed", {"message": "answered; expected"}, ("accepts", "rank 2")),
        ("exponential/scalar", "failed", {"message": FLOAT32_INSIDE}, ("share", "float32 inside (1 times)")),
    ],
)
def test_what_departs_is_said_in_its_column(
    case: str, verdict: str, finding: dict[str, str], said: tuple[str, str]
) -> None:
    column, words = said
    assert words in getattr(row_of(a_report(**{case: (verdict, finding)})), column)()


def test_a_result_that_has_another_form_is_refused() -> None:
    with pytest.raises(ValidationError):
        row_of(a_report() | {"mood": "good"})
