"""What changed between two reports: told once, in order of weight, with a status that a script can use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from attnspec.cli import main
from attnspec.conformance.report_model import Report
from attnspec.conformance.report_schema import comparison_schema
from attnspec.conformance.report_text import read_report, write_report
from corpus_cases import ROOT

SCHEMA = json.loads((ROOT / "spec" / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
HEAD: dict[str, Any] = {
    "format": 1,
    "started": "2026-11-30T08:00:00Z",
    "seconds": 1.5,
    "checked_by": {"attnspec": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
    "platform": {"system": "Linux", "machine": "x86_64"},
    "target": {"name": "torch", "version": "2.13.0", "layout": "BHTD", "exp_ulps": 2.0, "accumulates": ""},
    "options": {"level": "bound", "dtype": "float32", "profiles": ["core"], "require_repeatable": False},
    "corpus": {"cases": 648, "hash": "0" * 64},
    "summary": {"cases": 0, "passed": 0, "failed": 0, "errored": 0, "skipped": 0},
}
GRAVITY = ("skipped", "passed", "failed", "errored")


def report(cases: Mapping[str, object], **changed: object) -> Report:
    """Return a report of cases, each given by the verdicts of its parts, or by the verdict or share of `forward`."""
    listed = []
    for name, told in cases.items():
        parts = told if isinstance(told, dict) else {"forward": told}
        listed.append(
            {
                "id": name,
                "operation": "attention",
                "profile": "core",
                "verdict": max(map(_verdict, parts.values()), key=GRAVITY.index),
                "clauses": ["attention.1"],
                "parts": [_part(part, value) for part, value in parts.items()],
            }
        )
    sections = {name: HEAD[name] | value if isinstance(value, dict) else value for name, value in changed.items()}
    return read_report(json.dumps(HEAD | sections | {"cases": listed}))


def _verdict(told: object) -> str:
    return told if isinstance(told, str) else "passed"


def _part(name: str, told: object) -> dict[str, object]:
    part: dict[str, object] = {"name": name, "verdict": _verdict(told)}
    if told in ("failed", "errored"):
        part["findings"] = [{"message": f"{name} is off"}]
    return part if isinstance(told, str) else part | {"share": told, "ulps": 3}


@pytest.fixture
def compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(first: Report, second: Report, *more: str) -> tuple[int, str]:
        paths = [tmp_path / "one.json", tmp_path / "two.json"]
        for path, each in zip(paths, (first, second), strict=True):
            path.write_text(write_report(each), encoding="utf-8")
        status = main(["compare", *map(str, paths), *more])
        return status, capsys.readouterr().out

    return run


@pytest.mark.clause("conformance.39")
@pytest.mark.parametrize(
    ("first", "second", "status", "said"),
    [
        ("passed", "passed", 0, "no verdict changed"),
        ("failed", "failed", 0, "1 fail or error in both; no verdict changed"),
        ("passed", "failed", 1, "newly fails or errors in B (1)\n  a/b forward: passed -> failed: forward is off"),
        ("passed", "errored", 1, "a/b forward: passed -> errored: forward is off"),
        ("failed", "errored", 1, "a/b forward: failed -> errored: forward is off"),
        ("skipped", "failed", 1, "a/b forward: skipped -> failed"),
        ("failed", "passed", 0, "passes in B and did not in A (1)\n  a/b forward: failed -> passed\n"),
        ("errored", "passed", 0, "a/b forward: errored -> passed\n"),
        ("errored", "failed", 0, "other verdicts that changed (1)\n  a/b forward: errored -> failed: forward is off"),
        ("failed", "skipped", 0, "other verdicts that changed (1)\n  a/b forward: failed -> skipped\n"),
        ("passed", "skipped", 0, "other verdicts that changed (1)\n  a/b forward: passed -> skipped\n"),
        (
            {"forward": "failed", "gradients": "passed", "replay": "passed"},
            {"forward": "failed", "gradients": "failed", "replay": "passed"},
            1,
            "a/b gradients: passed -> failed: gradients is off",
        ),
        ({"forward": "passed"}, {"forward": "passed", "law": "failed"}, 1, "a/b law: skipped -> failed: law is off"),
        ({"forward": "passed", "law": "passed"}, {"forward": "passed"}, 0, "a/b law: passed -> skipped: not asked"),
    ],
)
def test_a_verdict_that_changed_is_told_and_only_what_is_worse_counts(
    compare: Any, first: object, second: object, status: int, said: str
) -> None:
    got, out = compare(report({"a/b": first, "c/d": "passed"}), report({"a/b": second, "c/d": "passed"}))
    assert (got, said in out) == (status, True), out
    assert "c/d" not in out


@pytest.mark.clause("conformance.39")
def test_parts_that_changed_alike_are_one_line(compare: Any) -> None:
    was, now = {"forward": "passed", "replay": "passed"}, {"forward": "skipped", "replay": "skipped"}
    _, out = compare(report({"a/b": was}), report({"a/b": now}))
    assert "  a/b forward, replay: passed -> skipped\n" in out


@pytest.mark.clause("conformance.39")
def test_a_case_of_one_report_alone_is_named_and_counts_where_it_fails_in_the_second(compare: Any) -> None:
    both = {"a/b": "passed"}
    status, out = compare(report(both | {"old/case": "failed"}), report(both | {"new/case": "passed"}))
    assert status == 0
    assert "only in A (1)\n  old/case: failed\n" in out
    assert "only in B (1)\n  new/case: passed\n" in out
    assert "1 case in both" in out
    status, out = compare(report(both), report(both | {"new/case": "errored"}))
    assert status == 1
    assert "new/case forward: absent -> errored: forward is off" in out


@pytest.mark.clause("conformance.39")
@pytest.mark.parametrize(
    ("first", "second", "factor", "told"),
    [
        (0.10, 0.25, (), True),
        (0.10, 0.19, (), False),
        (0.10, 0.19, ("--factor", "1.5"), True),
        (0.10, 0.25, ("--factor", "3"), False),
        (0.0001, 0.009, (), False),
        (0.0001, 0.011, (), True),
        ("passed", 0.3, (), True),
        ("failed", 0.3, (), False),
        (0.25, 0.10, (), False),
    ],
)
def test_a_share_that_grew_is_told_and_is_no_failure(
    compare: Any, first: object, second: object, factor: tuple[str, ...], told: bool
) -> None:
    status, out = compare(report({"a/b": first}), report({"a/b": second}), *factor)
    assert status == 0
    assert ("times the share of a bound" in out) == told


@pytest.mark.clause("conformance.39")
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"corpus": {"hash": "1" * 64}}, "corpus hash: 000"),
        ({"target": {"version": "2.14.0"}}, "target version: 2.13.0 in A, 2.14.0 in B"),
        ({"checked_by": {"numpy": "1.26.0"}}, "checked by numpy: 2.4.6 in A, 1.26.0 in B"),
        ({"options": {"dtype": "float16"}}, "options dtype: float32 in A, float16 in B"),
        ({"options": {"profiles": ["core", "large"]}}, "options profiles: core in A, core, large in B"),
        ({"platform": {"machine": "arm64"}}, "platform machine: x86_64 in A, arm64 in B"),
        ({"target": {"accumulates": "float32"}}, "target accumulates: none in A, float32 in B"),
        ({"interrupted": True}, "interrupted: no in A, yes in B"),
    ],
)
def test_what_makes_two_runs_no_like_for_like_is_said_first(
    compare: Any, changed: dict[str, object], said: str
) -> None:
    _, out = compare(report({"a/b": "passed"}), report({"a/b": "failed"}, **changed))
    assert said in out
    assert out.index("the runs differ in (1)") < out.index("newly fails")


def test_the_largest_shares_come_first(compare: Any) -> None:
    first, second = report({"a/b": 0.1, "c/d": 0.1, "e/f": 0.1}), report({"a/b": 0.3, "c/d": 0.9, "e/f": 0.5})
    told = [line.strip() for line in compare(first, second)[1].splitlines() if "->" in line]
    assert told == ["c/d forward: 10.00% -> 90.00%", "e/f forward: 10.00% -> 50.00%", "a/b forward: 10.00% -> 30.00%"]


def test_times_are_no_difference(compare: Any) -> None:
    later = report({"a/b": "passed"}, started="2027-01-01T00:00:00Z", seconds=99.0)
    assert "the runs differ in" not in compare(report({"a/b": "passed"}), later)[1]


def test_hundreds_of_changes_are_told_in_a_few_lines(compare: Any) -> None:
    first, second = ({f"a/{number}": verdict for number in range(300)} for verdict in ("passed", "failed"))
    _, out = compare(report(first), report(second))
    assert "newly fails or errors in B (300)" in out
    assert "and 280 more; -v or --json has them all" in out
    assert len(out.splitlines()) < 30
    assert compare(report(first), report(second), "-v")[1].count("passed -> failed") == 300


@pytest.fixture
def comparison(compare: Any) -> dict[str, Any]:
    """A comparison in which something of each kind changed."""
    first = report({"a/b": "passed", "c/d": 0.1, "e/f": "failed", "g/h": "passed", "i/j": "passed"})
    second = report({"a/b": "failed", "c/d": 0.5, "e/f": "passed", "k/l": "errored", "i/j": "skipped"}, seconds=2.0)
    _, out = compare(first, second.model_copy(update={"interrupted": True}), "--json")
    document: dict[str, Any] = json.loads(out)
    assert all(document[kind] for kind in SCHEMA["properties"] if kind != "bad_in_both")
    return document


def test_the_schema_is_that_of_the_models_and_says_what_everything_is() -> None:
    assert comparison_schema() == SCHEMA, "run python tools/export_schema.py"
    for each in [SCHEMA, *SCHEMA["$defs"].values()]:
        assert each["additionalProperties"] is False
        assert each["description"]
        assert each["required"] == list(each["properties"])
        assert all("description" in entry for entry in each["properties"].values())


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown key": lambda comparison: comparison.update(more=1),
    "an unknown key of a change": lambda comparison: comparison["worse"][0].update(more=1),
    "another format": lambda comparison: comparison.update(format=2),
    "no format": lambda comparison: comparison.pop("format"),
    "a factor below one": lambda comparison: comparison.update(factor=0.5),
    "a verdict that is none": lambda comparison: comparison["only_first"].update({"a/b": "great"}),
    "absent from the second": lambda comparison: comparison["worse"][0].update(second="absent"),
    "a share as text": lambda comparison: comparison["grown"][0].update(second="0.5"),
    "half a case": lambda comparison: comparison.update(in_both=0.5),
}


@pytest.mark.clause("conformance.39")
@pytest.mark.parametrize("broken", BROKEN)
def test_a_comparison_as_json_has_the_form_of_the_schema(comparison: dict[str, Any], broken: str) -> None:
    VALIDATOR.validate(comparison)
    BROKEN[broken](comparison)
    assert not VALIDATOR.is_valid(comparison)


@pytest.mark.clause("conformance.39")
def test_a_comparison_as_json_has_all_of_it(compare: Any) -> None:
    first = report({"a/b": "passed", "c/d": 0.1, "e/f": "failed", "g/h": "passed"})
    second = report({"a/b": "failed", "c/d": 0.5, "e/f": "passed"}, target={"version": "3"})
    status, out = compare(first, second, "--json")
    document = json.loads(out)
    assert status == 1
    assert document["differences"] == [{"what": "target version", "first": "2.13.0", "second": "3"}]
    changed = {"case": "a/b", "parts": ["forward"], "first": "passed", "second": "failed", "why": "forward is off"}
    assert document["worse"] == [changed]
    assert [change["case"] for change in document["better"]] == ["e/f"]
    assert document["grown"] == [{"case": "c/d", "part": "forward", "first": 0.1, "second": 0.5}]
    assert (document["only_first"], document["only_second"]) == ({"g/h": "passed"}, {})
    assert (document["in_both"], document["bad_in_both"], document["factor"]) == (3, 0, 2.0)


@pytest.mark.clause("conformance.39")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
        (b"[" * 100_000, "Invalid JSON"),
        (b"[]", "no report of `attnspec check --json`"),
        (b"{}", "format: Field required (and 9 more)"),
        (b'{"format": 2}', "format: Input should be 1"),
    ],
)
def test_what_is_no_report_is_one_line_and_status_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: bytes | None, said: str
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(write_report(report({"a/b": "passed"})), encoding="utf-8")
    if text is not None:
        bad.write_bytes(text)
    for pair in ((good, bad), (bad, good)):
        assert main(["compare", *map(str, pair)]) == 2
        err = capsys.readouterr().err
        assert (err.startswith(f"{bad}: "), said in err, err.count("\n")) == (True, True, 1), err


@pytest.mark.parametrize("factor", ["0.5", "nan", "inf", "much"])
def test_a_factor_is_a_number_of_one_or_more(factor: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["compare", "a.json", "b.json", "--factor", factor])
    assert ended.value.code == 2
    assert "--factor" in capsys.readouterr().err


@pytest.mark.clause("conformance.39")
def test_two_targets_that_ran_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = "import numpy as np\ndef exponential(x): return np.exp(x)\n"
    reports = []
    for name, text in (("right", right), ("coarse", right.replace("np.exp(x)", "np.exp(np.float32(x)).astype(float)"))):
        target, place = tmp_path / f"{name}.py", tmp_path / f"{name}.json"
        target.write_text(text)
        main(["check", str(target), "--in-process", "-k", "exponential/halves", "--json", str(place)])
        reports.append(str(place))
    capsys.readouterr()
    assert main(["compare", *reports]) == 1
    out = capsys.readouterr().out
    assert "target name: right in A, coarse in B" in out
    assert "exponential/halves_and_tenths forward: passed -> failed: y[" in out
    assert main(["compare", *reversed(reports)]) == 0
