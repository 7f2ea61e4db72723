"""How one machine can be set: NumPy's processor features, the BLAS kernel, and the number of threads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

KERNELS = {
    "x86_64": (
        *("Katmai", "Prescott", "Core2", "Penryn", "Dunnington", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"),
        *("Cooperlake", "SapphireRapids", "Barcelona", "Bobcat", "Bulldozer", "Piledriver", "Excavator", "Zen"),
    ),
    "aarch64": ("ARMV8", "CortexA53", "CortexA57", "ThunderX", "ThunderX2T99", "TSV110", "NeoverseN1", "NeoverseV1"),
    "ppc64le": ("POWER8", "POWER9", "POWER10"),
    "s390x": ("ZARCH_GENERIC", "Z13", "Z14"),
}
"""OpenBLAS's names; a library has some of them, and gives another kernel for a name that it does not have."""
_ALIASES = {"AMD64": "x86_64", "arm64": "aarch64"}
_THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@dataclass(frozen=True)
class Setting:
    """What is switched off, which kernel is asked for, and how many threads; nothing means as it is."""

    off: tuple[str, ...] = ()
    kernel: str = ""
    threads: int = 0

    def environment(self) -> dict[str, str]:
        """Return the variables that set it."""
        found = {"NPY_DISABLE_CPU_FEATURES": " ".join(self.off)} if self.off else {}
        if self.kernel:
            found["OPENBLAS_CORETYPE"] = self.kernel
        if self.threads:
            found |= dict.fromkeys(_THREAD_VARIABLES, str(self.threads))
        return found


AS_IS = Setting()


def switched_off(features: Sequence[str]) -> list[tuple[str, ...]]:
    """Return what is switched off at each level: nothing, then the last feature, then the last two.

    Features build on one another, and NumPy lists them in that order. Code that was compiled for one runs only where
    all below it are on, too: so switching off others with the lowest of some changes nothing, and levels are all
    that there is. A test holds that against what NumPy tells of the code it chose.
    """
    return [tuple(features[count:]) for count in range(len(features), -1, -1)]


def thread_counts() -> tuple[int, ...]:
    """Return one, two, and as many as there are processors."""
    cores = os.cpu_count() or 1
    return tuple(sorted({1, min(2, cores), cores}))


def settings(features: Sequence[str], kernels: Sequence[str], threads: Sequence[int]) -> Iterator[Setting]:
    """Yield every combination; what is empty is left as it is."""
    for off, kernel, count in product(switched_off(features), kernels or ("",), threads or (0,)):
        yield Setting(off, kernel, count)


def kernels_of(machine: str) -> tuple[str, ...]:
    """Return the names to try on a machine."""
    return KERNELS.get(_ALIASES.get(machine, machine), ())
