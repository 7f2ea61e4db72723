"""The one writer of goldens: what it writes, what it refuses to touch, and what it finds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpus_cases import ROOT

TOOL = ROOT / "tools" / "regenerate_goldens.py"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A small corpus that may be spoiled."""
    shutil.copytree(ROOT / "fixtures" / "causal_mask", tmp_path / "causal_mask")
    return tmp_path


def regenerate(corpus: Path, *options: str) -> tuple[int, str]:
    command = [sys.executable, str(TOOL), "--corpus", str(corpus), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def contents(corpus: Path) -> dict[str, bytes]:
    return {str(path.relative_to(corpus)): path.read_bytes() for path in sorted(corpus.rglob("*")) if path.is_file()}


def a_golden(corpus: Path) -> Path:
    return sorted(corpus.rglob("*.golden.json"))[-1]


def test_current_goldens_are_left_alone(corpus: Path) -> None:
    before = contents(corpus)
    status, out = regenerate(corpus, "--check")
    assert (status, "all current" in out) == (0, True)
    assert regenerate(corpus)[0] == 0
    assert contents(corpus) == before


def test_a_missing_golden_is_found_and_written_again_byte_for_byte(corpus: Path) -> None:
    before = contents(corpus)
    a_golden(corpus).unlink()
    status, out = regenerate(corpus, "--check")
    assert (status, "missing: " in out) == (1, True)
    assert len(contents(corpus)) == len(before) - 1
    assert regenerate(corpus)[0] == 0
    assert contents(corpus) == before


def test_a_changed_golden_is_shown_and_only_overwritten_on_request(corpus: Path) -> None:
    before = contents(corpus)
    golden = a_golden(corpus)
    golden.write_text(golden.read_text().replace("0000000000000000", "0000000000000001", 1))
    spoiled = contents(corpus)
    status, out = regenerate(corpus)
    assert status == 1
    for part in ("changed: ", golden.name, "mask[0, 0]", "expected 5e-324, got 0.0", "1 ulp apart", "--update"):
        assert part in out
    assert contents(corpus) == spoiled
    assert regenerate(corpus, "--update", "-k", "no_such_case")[0] == 2
    assert contents(corpus) == spoiled
    assert regenerate(corpus, "--update")[0] == 0
    assert contents(corpus) == before


@pytest.mark.clause("fixture_format.50")
def test_of_a_row_with_another_digest_the_plain_form_is_asked(tmp_path: Path) -> None:
    case = "causal_attention/two_batches_of_130"
    (tmp_path / case).parent.mkdir()
    for suffix in (".yaml", ".golden.json"):
        shutil.copy(ROOT / "fixtures" / f"{case}{suffix}", tmp_path / f"{case}{suffix}")
    golden = a_golden(tmp_path)
    digest = json.loads(golden.read_text(encoding="utf-8"))["outputs"]["raw_scores"]["rows"][7]
    golden.write_text(golden.read_text(encoding="utf-8").replace(digest, "00000000"), encoding="utf-8")
    status, out = regenerate(tmp_path, "--check")
    assert status == 1
    assert "raw_scores[0, 7]: expected this row's digest, got another (" in out
    assert "the plain form has the row that came" in out


def test_changed_decimals_beside_right_bits_are_found(corpus: Path) -> None:
    golden = a_golden(corpus)
    golden.write_text(golden.read_text().replace("-inf", "-1e9", 1))
    assert regenerate(corpus, "--check")[0] == 1


def test_a_golden_of_other_inputs_is_stale(corpus: Path) -> None:
    golden = a_golden(corpus)
    text = golden.read_text()
    digest = text.split('"inputs_sha256": "')[1][:64]
    golden.write_text(text.replace(digest, "0" * 64))
    status, out = regenerate(corpus, "--check")
    assert (status, "stale: " in out) == (1, True)


def test_a_golden_that_is_no_json_is_changed(corpus: Path) -> None:
    a_golden(corpus).write_text("{")
    status, out = regenerate(corpus, "--check")
    assert (status, "not a golden" in out) == (1, True)


def test_an_orphan_is_found_and_removed_on_request(corpus: Path) -> None:
    orphan = corpus / "causal_mask" / "gone.golden.json"
    shutil.copy(a_golden(corpus), orphan)
    status, out = regenerate(corpus, "--check")
    assert (status, "orphaned: " in out) == (1, True)
    assert regenerate(corpus)[0] == 1
    assert orphan.exists()
    assert regenerate(corpus, "--prune")[0] == 0
    assert not orphan.exists()


def test_a_broken_fixture_names_its_place_and_leaves_every_golden_as_it_was(corpus: Path) -> None:
    golden = a_golden(corpus)
    golden.unlink()
    fixture = golden.with_name(golden.name.replace(".golden.json", ".yaml"))
    fixture.write_text(fixture.read_text().replace("profile: ", "profile: k", 1))
    before = contents(corpus)
    status, out = regenerate(corpus, "--update", "--prune")
    assert status == 2
    assert f"{fixture.name}:3:" in out
    assert contents(corpus) == before


def test_no_golden_is_written_for_an_expectation_that_is_not_met(corpus: Path) -> None:
    fixture = corpus / "causal_mask" / "wrong.yaml"
    fixture.write_text(
        "about: One cell of the expectation is wrong.\noperation: causal_mask\nprofile: core\n"
        "clauses: [causal_mask.1]\nsource: worked by hand, wrongly\ninputs: {tokens: 2}\n"
        "expect: {mask: [[0, -.inf], [1, 0]]}\n"
    )
    status, out = regenerate(corpus, "--update")
    assert status == 1
    for part in ("wrong: ", "mask[1, 0]: expected 1.0, got 0.0"):
        assert part in out
    assert not fixture.with_name("wrong.golden.json").exists()


@pytest.mark.parametrize("options", [("--check",), ("--update",), ()])
def test_a_selection_that_matches_nothing_is_no_success(corpus: Path, options: tuple[str, ...]) -> None:
    status, out = regenerate(corpus, *options, "-k", "typo")
    assert (status, out) == (2, "regenerate_goldens.py: no accepted case matches -k 'typo'\n")


def test_an_interrupt_while_the_tool_still_imports_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text("raise KeyboardInterrupt")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, TOOL], capture_output=True, text=True, check=False, env=environment)
    assert (done.stdout, done.stderr) == ("", "interrupted\n")
    assert done.returncode in (130, -signal.SIGINT)


def test_a_full_disk_or_a_closed_pipe_is_no_traceback_and_no_success(corpus: Path) -> None:
    a_golden(corpus).unlink()
    reader, writer = os.pipe()
    os.close(reader)
    with open("/dev/full", "w") as full, open(writer, "w") as closed:
        for stdout, status, said in ((full, 2, "No space left on device\n"), (closed, 1, "")):
            command = [sys.executable, str(TOOL), "--check", "--corpus", str(corpus)]
            done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
            assert (done.returncode, done.stderr) == (status, said)


def test_check_and_update_exclude_each_other(corpus: Path) -> None:
    assert regenerate(corpus, "--check", "--update")[0] == 2
