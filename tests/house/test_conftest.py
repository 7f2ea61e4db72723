"""What conftest.py refuses before any test runs, from every folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import conftest
from attnspec.numeric import self_check
from house.sources import ROOT


@pytest.mark.parametrize(
    ("folder", "option", "target"),
    [
        (".", "--regen-all", []),
        ("tests", "--force-regen", []),
        ("tests/house", "--regen-all", []),
        ("tools", "--force-regen", ["../tests/house/test_readme.py"]),
    ],
)
def test_goldens_have_one_writer(folder: str, option: str, target: list[str]) -> None:
    done = pytest_in(ROOT / folder, option, "--collect-only", *target)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"{option} writes no goldens here; run: python tools/regenerate_goldens.py" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_without_those_options_the_run_begins() -> None:
    assert pytest_in(ROOT / "tools", "--collect-only", "../tests/house/test_readme.py").returncode == 0


@pytest.mark.clause("arithmetic.21")
def test_a_machine_that_rounds_otherwise_stops_the_run(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    def fused() -> None:
        raise self_check.MachineError("NumPy fuses")

    conftest.pytest_configure(pytestconfig)
    monkeypatch.setattr(self_check, "check_machine", fused)
    with pytest.raises(pytest.UsageError, match="NumPy fuses"):
        conftest.pytest_configure(pytestconfig)


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
