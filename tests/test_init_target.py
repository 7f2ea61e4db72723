"""`attnspec init-target` writes a target that runs as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from attnspec.cli import main
from attnspec.conformance.target import ask
from attnspec.corpus.request import Answered, Refused, Skipped
from attnspec.targets.loading import load_target
from corpus_cases import CORPUS


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    assert main(["init-target", str(path)]) == 0
    return path


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_template_passes_core_as_written_and_skips_other_operations(
    written: Path, capfd: pytest.CaptureFixture[str], dtype: str
) -> None:
    report = written.with_suffix(".json")
    asked = "causal_attention or causal_mask"
    assert main(["check", str(written), "--dtype", dtype, "-k", asked, "--json", str(report)]) == 0
    assert capfd.readouterr().err == ""
    cases = json.loads(report.read_text(encoding="utf-8"))["cases"]
    answered = [case for case in cases if case["verdict"] != "skipped"]
    assert {case["operation"] for case in answered} == {"causal_attention"}
    assert {case["verdict"] for case in answered} == {"passed"}
    parts = [part["name"] for case in answered for part in case["parts"] if part["verdict"] == "passed"]
    assert parts.count("gradients") > 20


def test_the_template_with_a_bug_in_it_fails(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for right, wrong in (
        ("np.tri(query.shape[-2]", "np.tri(query.shape[-2], k=1"),
        ("math.sqrt(query", "float(query"),
        ("scores @ key", "scores @ query"),
    ):
        assert right in text
        written.write_text(text.replace(right, wrong), encoding="utf-8")
        assert main(["check", str(written), "--in-process", "-k", "causal_attention/all_sizes"]) == 1, wrong


def test_the_template_refuses_by_what_it_calls_refusals(written: Path) -> None:
    target = load_target(str(written))
    assert target.declaration.name == "my attention"
    assert isinstance(ask(target, CORPUS.read("causal_attention/three_tokens").request), Answered)
    refused = ask(target, CORPUS.read("causal_attention/rejected/width_mismatch").request)
    assert isinstance(refused, Refused)
    assert refused.message.startswith("ValueError")
    assert isinstance(ask(target, CORPUS.read("causal_mask/four_tokens").request), Skipped)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine.py", "mine.py: exists already"),
        ("mine.txt", "a file that ends in .py"),
        ("no/such/folder/mine.py", "cannot be written: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_line(
    written: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    before = written.read_bytes()
    capsys.readouterr()
    assert main(["init-target", str(written.parent / name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), said in err) == ("", 1, True)
    assert written.read_bytes() == before


def test_the_command_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two words.py"
    assert main(["init-target", str(path)]) == 0
    assert capsys.readouterr().out == f"wrote {path}; now run: attnspec check '{path}'\n"
