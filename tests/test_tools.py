"""tools/new_fixture.py, run in a copy of the checkout as a contributor runs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from attnspec.corpus.lint import lint_file
from attnspec.corpus.vocabulary import OPERATIONS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    copy = tmp_path / "checkout"
    for folder in ("tools", "src"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def new_fixture(checkout: Path, *arguments: str, source: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(checkout / "tools" / "new_fixture.py"), *arguments],
        env={"PYTHONPATH": str(source or checkout / "src")},
        cwd=checkout.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_skeleton_holds_the_inputs_of_its_operation(checkout: Path) -> None:
    done = new_fixture(checkout, "causal_attention/my_case")
    assert done.returncode == 0, done.stderr
    fixture = yaml.safe_load((checkout / "fixtures/causal_attention/my_case.yaml").read_text("utf-8"))
    assert list(fixture["inputs"]) == ["query", "key", "value"]
    assert list(fixture["expect"]["gradients"]) == ["query", "key", "value"]
    assert list(fixture["upstream"]) == ["output"]


def test_a_rejected_skeleton_names_the_fields_of_its_error(checkout: Path) -> None:
    assert new_fixture(checkout, "causal_mask/rejected/negative_tokens").returncode == 0
    fixture = yaml.safe_load((checkout / "fixtures/causal_mask/rejected/negative_tokens.yaml").read_text("utf-8"))
    assert fixture["rejects"] == {"error": "negative_tokens", "details": {"tokens": 0}}
    assert "expect" not in fixture


def test_a_fixture_that_is_there_stays_as_it_is(checkout: Path) -> None:
    assert new_fixture(checkout, "causal_mask/my_case").returncode == 0
    path = checkout / "fixtures/causal_mask/my_case.yaml"
    path.write_text("mine", "utf-8")
    done = new_fixture(checkout, "causal_mask/my_case")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "already there" in done.stderr
    assert path.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    "case",
    ["causal_mask", "causal_mask/", "causal_mask/Mine", "causal_mask/a/b", "causal_mask/rejected", "../x", "nothing/x"],
)
def test_a_bad_id_is_one_clear_line_and_writes_nothing(checkout: Path, case: str) -> None:
    done = new_fixture(checkout, case)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("new_fixture.py: ")
    assert not (checkout / "fixtures").exists()


def test_a_tool_refuses_an_attnspec_from_another_checkout(checkout: Path) -> None:
    done = new_fixture(checkout, "causal_mask/my_case", source=ROOT / "src")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "not from this checkout" in done.stderr
    assert not (checkout / "fixtures").exists()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_has_a_skeleton_that_lint_accepts(checkout: Path, operation: str) -> None:
    assert new_fixture(checkout, f"{operation}/my_case").returncode == 0
    fixture = yaml.safe_load((checkout / f"fixtures/{operation}/my_case.yaml").read_text("utf-8"))
    assert set(fixture["inputs"]) == set(OPERATIONS[operation].inputs)
    assert set(OPERATIONS[operation].required) <= set(fixture["expect"])
    path = checkout / f"fixtures/{operation}/my_case.yaml"
    assert lint_file(path, checkout / "fixtures", clauses={f"{operation}.1": ""}) == []


def test_the_source_distribution_holds_all_that_its_tests_need() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for name in (".ci", ".gitattributes", "src", "fixtures", "spec", "tests", "tools"):
        assert f"/{name}" in included
        assert (ROOT / name).exists()


@pytest.mark.parametrize(
    ("case", "details"),
    [
        ("attention/rejected/batch_mismatch", "{query: 0, key: 0, value: 0}"),
        ("attention/rejected/token_mismatch", "{query: 0, key: 0, value: 0}"),
        ("attention/rejected/rank", "{tensor: name, rank: 0, expected: 0}"),
        ("matrix_product/rejected/shape_mismatch", "{expected: [0], actual: [0]}"),
        ("qkv_parameters/rejected/branch", "{branch: name, cause: {error: no_tokens, details: {}}}"),
    ],
)
def test_the_skeleton_of_a_refusal_has_the_fields_of_its_error(checkout: Path, case: str, details: str) -> None:
    (checkout / "fixtures").mkdir(exist_ok=True)
    done = new_fixture(checkout, case)
    assert done.returncode == 0, done.stderr
    assert f"details: {details}" in (checkout / "fixtures" / f"{case}.yaml").read_text(encoding="utf-8")
