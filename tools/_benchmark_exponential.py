"""The exponential against what a user would call instead (exponential)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _benchmark_machine import has_avx512, optional
from _benchmark_rows import Disagreement, Found, Missing, Section, Target, compared
from _benchmark_timing import Bench, Here
from attnspec.numeric.exponential import exponential

FloatArray = NDArray[np.float64]

NAME = "exponential"
OURS = "attnspec"
NUMPY = "np.exp"
NORMAL = (-708.0, 709.0)  # results are normal numbers between these
SUBNORMAL = (-745.1, -708.5)  # and between these subnormal, but not 0
MOST_NANOSECONDS = Target(200.0, of_ratio=False)


@dataclass(frozen=True)
class Sizes:
    """How many numbers: for arrays, for the loop of math.exp, for slow loops, with subnormal results."""

    arrays: int = 1_000_000
    loop: int = 100_000
    slow: int = 5_000
    subnormal: int = 100_000


@dataclass(frozen=True)
class Other:
    """What stands in for the exponential: how it is called, and how far it may be from the truth."""

    name: str
    call: Callable[[], Sequence[Any]]
    count: int
    ulps: int


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield the figures of the exponential, in nanoseconds for each number."""
    x = np.random.default_rng(1).uniform(*NORMAL, sizes.arrays)
    others = list(_others(x, sizes))
    tiny = np.random.default_rng(2).uniform(*SUBNORMAL, sizes.subnormal)
    yield from _against(f"{x.size:,} numbers", x, [other for other in others if isinstance(other, Other)], bench)
    yield from (other for other in others if isinstance(other, Missing))
    yield from _against(f"{tiny.size:,} subnormal results", tiny, [_numpy(tiny)], bench, MOST_NANOSECONDS)


def _against(what: str, x: FloatArray, others: Sequence[Other], bench: Bench, target: Target | None = None) -> Found:
    bench.say(f"{NAME}: {what}")
    truth = exponential(x)
    for other in others:
        _must_agree(other, truth)
    ours = Here(OURS, partial(exponential, x), x.size)
    samples = bench.compare([ours, *(Here(other.name, other.call, other.count) for other in others)])
    for other in others:
        wanted = target or (most_times(has_avx512()) if other.name == NUMPY else None)
        yield compared(samples, (NAME, what), (OURS, other.name), "ns", wanted)


def most_times(avx512: bool) -> Target:
    """Return how many times as long as np.exp the exponential may take; with AVX-512 np.exp is far faster."""
    return Target(15.0 if avx512 else 5.0)


def _numpy(x: FloatArray) -> Other:
    return Other(NUMPY, partial(np.exp, x), x.size, 1)


def _others(x: FloatArray, sizes: Sizes) -> Iterator[Other | Missing]:
    yield _numpy(x)
    some: list[float] = x[: sizes.loop].tolist()
    yield Other(f"math.exp, a loop over {len(some):,}", lambda: [math.exp(one) for one in some], len(some), 1)
    few = some[: sizes.slow]
    for name, called, ulps in (("gmpy2", _mpfr, 0), ("mpmath", _mpmath, 1)):
        module = optional(name)
        if module is None:
            yield Missing(NAME, name, "is not installed")
        else:
            yield Other(f"{name}, a loop over {len(few):,}", partial(called, module, few), len(few), ulps)


def _mpfr(gmpy2: Any, values: Sequence[float]) -> list[Any]:
    """MPFR with the precision and the range of binary64."""
    with gmpy2.context(precision=53, emax=1024, emin=-1073, subnormalize=True):
        return [gmpy2.exp(one) for one in values]


def _mpmath(mpmath: Any, values: Sequence[float]) -> list[Any]:
    with mpmath.workprec(53):
        return [mpmath.exp(one) for one in values]


def _must_agree(other: Other, truth: FloatArray) -> None:
    """Raise Disagreement where the other one computes something else: all results are positive and finite."""
    got = np.array([float(one) for one in other.call()])
    apart = int(np.abs(got.view(np.int64) - truth[: other.count].view(np.int64)).max())
    if apart > other.ulps:
        raise Disagreement(f"{other.name} is {apart} ulps from the exponential, not at most {other.ulps}")


SECTION = Section(NAME, measure, Sizes(), Sizes())
