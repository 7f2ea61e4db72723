"""The targets in C and JavaScript pass with their gradients, and fail with one line changed where that line matters."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from attnspec.cli import main
from attnspec.corpus.fixture import Fixture
from corpus_cases import fixtures

HERE = Path(__file__).resolve().parent / "other_languages"
C, JS = "attention_target.c", "attention_target.js"
NO_BOUND = "the bound says nothing"
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-std=c11", "-O2"]
HEADS, SCORES = {"attention", "causal_attention"}, {"scaled_scores"}
FORWARD, BACK = "forward", "gradients"


class Change(NamedTuple):
    """One line replaced in a target: the operations that it breaks, from which part on, and a clause that says so."""

    file: str
    there: str
    instead: str
    breaks: set[str]
    part: str
    clause: str


CHANGES = [
    Change(C, "= 1.0 / sqrt((double)d)", "= 1.0 / (double)d", HEADS, FORWARD, "attention.1"),
    Change(C, "(d_p[j] - shared)", "(d_p[j] + shared)", HEADS, BACK, "attention.22"),
    Change(JS, "% T) + 1 : T;", "% T) || 1 : T;", {"causal_softmax", "causal_attention"}, FORWARD, "causal_softmax.1"),
    Change(JS, "multiply(transpose(dRaw), query)", "multiply(dRaw, query)", HEADS | SCORES, BACK, "scaled_scores.19"),
]
Build = Callable[[str, str], str]
"""From the name of a file and its text to the command that runs it."""


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    known: dict[str, str] = {}

    def built(name: str, text: str) -> str:
        needed = "cc" if name == C else "node"
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed")
        if text not in known:
            source = tmp_path_factory.mktemp("target") / name
            source.write_text(text, encoding="utf-8")
            known[text] = shlex.join(["node", str(source)] if name == JS else [compiled(source)])
        return known[text]

    return built


def compiled(source: Path) -> str:
    target = source.with_suffix("")
    made = subprocess.run(["cc", *WARNINGS, "-o", target, source, "-lm"], capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    return str(target)


def text_of(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [C, JS])
def test_core_is_passed_with_gradients_by_everything_that_the_target_does(
    build: Build, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, report = build(name, text_of(name)), tmp_path / "report.json"
    declared = talk(command, {"cmd": "start", "format": 1})[0]["operations"]
    options = ["--profile", "core", "--level", "bound", "--require-repeatable", "--json", str(report)]
    status = main(["check", f"cmd:{command}", *options])
    assert status == 0, capsys.readouterr().out[-2000:]
    told = {case["id"]: case for case in json.loads(report.read_text(encoding="utf-8"))["cases"]}
    core = [fixture for fixture in fixtures() if fixture.profile == "core"]
    assert set(told) == {fixture.id for fixture in core}
    asked = [fixture for fixture in core if fixture.operation.name in declared]
    passed = [fixture.id for fixture in asked if told[fixture.id]["verdict"] == "passed"]
    unbounded = [case for case, report in told.items() if NO_BOUND in str(part(report, FORWARD).get("remark"))]
    assert {fixture.id for fixture in asked} <= {*passed, *unbounded}, f"{len(passed)} of {len(asked)} passed"
    assert len(passed) > len(core) / 2, "most of core is done, not skipped"
    gradients = [part(told[fixture.id], BACK) for fixture in asked if is_by_output(fixture)]
    compared = [gradient for gradient in gradients if gradient["verdict"] == "passed"]
    assert len(compared) > 55, f"{len(compared)} of {len(gradients)} gradients of attention were compared"
    assert all(NO_BOUND in gradient["remark"] for gradient in gradients if gradient not in compared)
    refused = [fixture.id for fixture in asked if fixture.rejects is not None]
    assert len(refused) >= 10
    assert [case for case in refused if part(told[case], FORWARD).get("remark")] == [], "codes and details agree"


def is_by_output(fixture: Fixture) -> bool:
    return fixture.operation.name in ("attention", "causal_attention") and list(fixture.request.upstream) == ["output"]


def part(case: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(part for part in case["parts"] if part["name"] == name)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.file}: {change.instead}")
def test_one_wrong_line_fails_what_it_breaks_and_a_clause_is_named(
    build: Build, tmp_path: Path, change: Change, capsys: pytest.CaptureFixture[str]
) -> None:
    text, report = text_of(change.file), tmp_path / "report.json"
    assert text.count(change.there) == 1
    command = build(change.file, text.replace(change.there, change.instead))
    status = main(["check", f"cmd:{command}", "-k", "three_tokens or cancelling_gradients", "--json", str(report)])
    out = capsys.readouterr().out
    failed = [case for case in json.loads(report.read_text(encoding="utf-8"))["cases"] if case["verdict"] == "failed"]
    parts = {part["name"] for case in failed for part in case["parts"] if part["verdict"] == "failed"}
    assert status == 1
    assert {case["operation"] for case in failed} == change.breaks
    assert (change.part in parts, FORWARD in parts) == (True, change.part == FORWARD)
    assert change.clause in {name for line in re.findall(r"clauses: (.*)", out) for name in line.split(", ")}


@pytest.mark.parametrize("name", [C, JS])
def test_what_is_unknown_is_ignored_refused_or_skipped(build: Build, name: str) -> None:
    replies = talk(
        build(name, text_of(name)),
        {"cmd": "start", "format": 1, "later": {"format": 2}},
        run(7, "exponential", {"x": ODD}, wants=(["y"], [])) | {"future": {"inputs": {"x": None}, "cmd": "stop"}},
        run(8, "exponential", {"x": ODD}, wants=([], [])),
        run(9, "causal_softmax", {"scores": ONE}, {"probabilities": ONE}, (["probabilities"], ["scores"])),
        run(10, "causal_softmax", {"scores": ONE}, {"probabilities": ONE, "new": ONE}, (["probabilities"], ["scores"])),
        run(11, "splitmix64", {"seed": "1", "count": "2"}, wants=(["draws"], [])),
        {"cmd": "start", "format": 2},
    )
    hello, odd, nothing, both, lacking, unknown, later = replies
    assert hello["format"] == 1
    bits = ["3ff0000000000000 7ff0000000000000", "0000000000000000 7ff8000000000123"]
    assert odd == {"id": 7, "outputs": {"y": {"dtype": "float64", "shape": [2, 2], "bits": bits}}}
    assert nothing == {"id": 8, "outputs": {}}
    zero = ONE | {"bits": ["0000000000000000"]}
    assert both == {"id": 9, "outputs": {"probabilities": ONE}, "gradients": {"scores": zero}}
    assert lacking.pop("no_gradients").startswith("needs ")
    assert lacking == {"id": 10, "outputs": {"probabilities": ONE}}
    assert set(unknown) == {"id", "skipped"}
    assert set(later) == {"fault"}


ONE = {"dtype": "float64", "shape": [1, 1], "bits": ["3ff0000000000000"]}
ODD = {
    "dtype": "float64",
    "shape": [2, 2],
    "bits": ["0000000000000000 7ff0000000000000", "fff0000000000000 7ff8000000000123"],  # 0 and inf, -inf and a NaN
}


def run(
    number: int,
    operation: str,
    inputs: Mapping[str, object],
    upstream: Mapping[str, object] | None = None,
    wants: tuple[list[str], list[str]] = ([], []),
) -> dict[str, object]:
    message = {"cmd": "run", "id": number, "operation": operation, "inputs": inputs, "upstream": upstream or {}}
    return message | {"wants": dict(zip(("outputs", "gradients"), wants, strict=True))}


def talk(command: str, *messages: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return the answers of a process, which ends of itself when it is told to."""
    lines = "".join(json.dumps(message) + "\n" for message in [*messages, {"cmd": "stop"}])
    done = subprocess.run(shlex.split(command), input=lines, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", [C, JS])
def test_the_examples_are_short(name: str) -> None:
    lines = text_of(name).splitlines()
    assert len(lines) < 150
    assert max(map(len, lines)) <= 120
