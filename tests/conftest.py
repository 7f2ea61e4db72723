"""What every test run begins with: one writer of goldens, and a machine whose arithmetic can be trusted."""

from __future__ import annotations

import pytest

from attnspec.numeric import self_check

SILENT_WRITERS = {
    "force_regen": "--force-regen",
    "regen_all": "--regen-all",
}  # pytest-regressions would rewrite goldens


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what would make the run worth nothing, in one line, before any test."""
    for name, option in SILENT_WRITERS.items():
        if config.getoption(name, default=False):
            raise pytest.UsageError(f"{option} writes no goldens here; run: python tools/regenerate_goldens.py")
    try:
        self_check.check_machine()
    except self_check.MachineError as error:
        raise pytest.UsageError(f"no test can be trusted here: {error}") from error
