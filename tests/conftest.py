"""What every test run begins with: one writer of goldens, and a machine whose arithmetic can be trusted."""

from __future__ import annotations

import pytest

REGENERATING = {"force_regen": "--force-regen", "regen_all": "--regen-all"}  # pytest-regressions' own writers


def pytest_configure(config: pytest.Config) -> None:
    """Goldens have one writer; the plugin's options would rewrite them silently."""
    for name, option in REGENERATING.items():
        if config.getoption(name, default=False):
            raise pytest.UsageError(f"{option} writes no goldens here; run: python tools/regenerate_goldens.py")
