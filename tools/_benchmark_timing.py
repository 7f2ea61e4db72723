"""Times that can be compared: all sides are measured in turn, so that a busy machine hits them all."""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Protocol

Clock = Callable[[], float]


class Side(Protocol):
    """One of the things that are compared."""

    @property
    def name(self) -> str: ...

    @property
    def parts(self) -> int:
        """How many elements or files a call deals with; times are told for one."""

    def seconds(self, calls: int) -> float:
        """Call it so many times, and return how long that took in all."""


@dataclass(frozen=True)
class Here:
    """A function, called in this process."""

    name: str
    function: Callable[[], Any]
    parts: int = 1
    clock: Clock = time.perf_counter

    def seconds(self, calls: int) -> float:
        start = self.clock()
        for _ in range(calls):
            self.function()
        return self.clock() - start


@dataclass(frozen=True)
class Samples:
    """Seconds for one part, by side: a sample of each round."""

    of: Mapping[str, Sequence[float]]

    def median(self, side: str) -> float:
        """Return the seconds that a side takes."""
        return median(self.of[side])

    def ratio(self, one: str, other: str) -> float:
        """Return how many times as long one side takes: the median over the rounds, each by itself.

        What slows a whole round down slows both sides, so it changes no ratio; it may change a median.
        """
        return median(mine / theirs for mine, theirs in zip(self.of[one], self.of[other], strict=True))


def _rest(seconds: float) -> None:
    gc.collect()  # or the next side does it in its own time
    time.sleep(seconds)


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Bench:
    """How times are taken.

    Args:
        rounds: how often every side is measured.
        shortest: seconds that a sample lasts at least; what is faster is called more than once.
        settle: seconds of rest before each sample, since the threads of BLAS and of torch spin for a while when
            they have nothing to do, and would take a core from the next side.
        rest: does that; it clears away what the last side left, too.
        say: is told what is measured now.
    """

    rounds: int = 7
    shortest: float = 0.02
    settle: float = 0.05
    rest: Callable[[float], None] = _rest
    say: Callable[[str], None] = _tell

    def compare(self, sides: Sequence[Side], warm: bool = True) -> Samples:
        """Measure every side in every round, each round beginning with another one.

        Args:
            sides: with names of their own.
            warm: call each twice before; the second time says how often it is to be called for one sample.
        """
        calls = {side.name: self._calls(side) if warm else 1 for side in sides}
        found: dict[str, list[float]] = {side.name: [] for side in sides}
        for number in range(self.rounds):
            first = number % len(sides)
            for side in (*sides[first:], *sides[:first]):
                self.rest(self.settle)
                found[side.name].append(side.seconds(calls[side.name]) / (calls[side.name] * side.parts))
        return Samples(found)

    def _calls(self, side: Side) -> int:
        side.seconds(1)  # what is made once, such as threads, is no measure
        once = side.seconds(1)
        return max(1, math.ceil(self.shortest / once)) if once > 0 else 1
