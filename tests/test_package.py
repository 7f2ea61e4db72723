"""The wheel: it holds what commands read and no more, and they run from it where there is no checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZipFile

import pytest

from corpus_cases import CORPUS, ROOT

PLACES = {"src/attnspec": "attnspec", "fixtures": "attnspec/data/fixtures", "spec": "attnspec/data/spec"}
LEFT_OUT = "attnspec/data/spec/results/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    with ZipFile(built) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def wanted() -> set[str]:
    """Return what the package is to hold: its code, the fixtures, and the specification without reports of record."""
    found = {
        f"{there}/{path.relative_to(ROOT / here).as_posix()}"
        for here, there in PLACES.items()
        for path in (ROOT / here).rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".tmp")
    }
    return {name for name in found if not name.startswith(LEFT_OUT)}


def faults(held: Iterable[str]) -> list[str]:
    """Return what a wheel lacks, and what it should not hold."""
    of_package = {name for name in held if ".dist-info/" not in name}
    lacking = [f"lacks {name}" for name in sorted(wanted() - of_package)]
    return lacking + [f"holds {name}" for name in sorted(of_package - wanted())]


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_wheel_holds_what_commands_read_and_no_report_of_record(wheel: Path) -> None:
    assert any((ROOT / "spec" / "results").iterdir())
    assert faults(names_in(wheel)) == []


@pytest.mark.parametrize(
    "gone",
    [
        "attnspec/data/spec/likely_bugs.json",
        "attnspec/data/spec/schema/report.schema.json",
        "attnspec/data/spec/causal_attention.md",
        "attnspec/data/fixtures/causal_attention/three_tokens.golden.json",
        "attnspec/py.typed",
    ],
)
def test_a_wheel_that_lacks_a_file_is_caught(gone: str) -> None:
    assert faults(wanted() - {gone}) == [f"lacks {gone}"]


def test_a_wheel_with_a_report_of_record_is_caught() -> None:
    report = f"{LEFT_OUT}numpy.float64.json"
    assert faults(wanted() | {report}) == [f"holds {report}"]


def test_commands_run_from_the_wheel_in_any_folder(wheel: Path, tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        command = [sys.executable, "-m", "attnspec", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(wheel)}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True).stdout

    case = "causal_attention/three_tokens"
    assert CORPUS.read(case).about in said("show", case)
    flipped = ROOT / "tests" / "broken" / "c2_flipped.py"
    checked = said("check", str(flipped), "-k", "causal_mask or causal_softmax")
    assert f"corpus: {wheel / 'attnspec' / 'data' / 'fixtures'}, " in checked
    assert re.search(r"^  causal_mask\.4 .*  A cell with j > i is blocked", checked, re.MULTILINE)  # a page's words
    assert "as with the broken twins c1_one_ahead, c2_flipped" in checked  # from the likely bugs
