"""What the figures of the benchmark were measured on: versions, processor, cores, load."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from attnspec import __version__

PACKAGES = ("numpy", "pyyaml", "gmpy2", "mpmath", "torch")


def optional(name: str) -> Any | None:
    """Return a module that users may have, or None."""
    try:
        return import_module(name)
    except ImportError:
        return None


@cache
def has_avx512() -> bool:
    """Say whether NumPy uses AVX-512 here: its exponential of binary64 is several times faster then."""
    features = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", ())
    return any(name == "X86_V4" or name.startswith("AVX512") for name in features)


def described() -> dict[str, Any]:
    """Return everything that a reader of the figures must know."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "attnspec": __version__,
        "python": platform.python_version(),
        "versions": {name: found for name in PACKAGES if (found := _version(name))},
        "processor": _processor(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "avx512": has_avx512(),
        "load_at_start": load(),
    }


def load() -> float:
    """Return how many processes ran or waited for a processor in the last minute, as `uptime` rounds it."""
    return round(os.getloadavg()[0], 1)


def was_busy(machine: dict[str, Any]) -> bool:
    """Say whether others had more than half a core for each core; threads that wait for one another stall then."""
    return bool(machine["load_at_start"] > machine["cores"] / 2)


def sentence(machine: dict[str, Any]) -> str:
    """Return the same in words."""
    versions = ", ".join(f"{name} {found}" for name, found in machine["versions"].items())
    simd = "with AVX-512" if machine["avx512"] else "without AVX-512"
    return (
        f"Measured on {machine['date']} with attnspec {machine['attnspec']}, Python {machine['python']}, {versions}; "
        f"{machine['processor']} ({machine['machine']}, {simd}), {machine['cores']} cores, "
        f"load {machine['load_at_start']} at the start and {machine['load_at_end']} at the end, its own in it."
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    """Return the processor's name, which Linux alone does not tell through `platform`."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text(encoding="utf-8").splitlines() if told.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "an unnamed processor"
