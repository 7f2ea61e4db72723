"""The rows of the benchmark's table: what was measured, against what, and what it was to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from _benchmark_timing import Bench, Samples

PER_SECOND = {"s": 1.0, "ms": 1e3, "ns": 1e9}


class Disagreement(Exception):
    """Two sides gave different answers, so there is nothing to compare; the message says which and how."""


@dataclass(frozen=True)
class Target:
    """What a figure is to be.

    Args:
        limit: at most this, or at least.
        of_ratio: the ratio is meant, not the value itself.
        is_floor: at least, not at most.
    """

    limit: float
    of_ratio: bool = True
    is_floor: bool = False

    def is_met(self, figure: float) -> bool:
        """Say whether a figure is within the limit."""
        return figure >= self.limit if self.is_floor else figure <= self.limit


@dataclass(frozen=True)
class Row:
    """One figure.

    Args:
        section: the part of the benchmark.
        what: is measured.
        value: of this project, in `unit`.
        unit: of it; none where `what` says what is counted.
        against: what the user would pick instead, or what it is compared with.
        other: its value, in the same unit.
        ratio: how many times as much the first one is.
        target: what the figure is to be, where that is said.
    """

    section: str
    what: str
    value: float
    unit: str = ""
    against: str = ""
    other: float | None = None
    ratio: float | None = None
    target: Target | None = None

    @property
    def is_met(self) -> bool | None:
        """Say whether the target is met; None where there is none."""
        if self.target is None:
            return None
        figure = self.ratio if self.target.of_ratio else self.value
        assert figure is not None, f"{self.what}: a target of a ratio that was not measured"
        return self.target.is_met(figure)


@dataclass(frozen=True)
class Missing:
    """What could not be measured, and why."""

    section: str
    what: str
    why: str


Found = Iterator[Row | Missing]


@dataclass(frozen=True)
class Section:
    """A part of the benchmark.

    Args:
        name: by which it is selected.
        measure: yields its rows, at some sizes.
        full: the sizes of a whole run.
        quick: those of a run of a minute.
    """

    name: str
    measure: Callable[[Any, Bench], Found]
    full: Any
    quick: Any


def single(samples: Samples, row: tuple[str, str], side: str, unit: str, target: Target | None = None) -> Row:
    """Return the row of one side.

    Args:
        samples: the times.
        row: section, and what is measured.
        side: whose time it is.
        unit: of time.
        target: of the value.
    """
    return Row(*row, samples.median(side) * PER_SECOND[unit], unit, target=target)


def compared(
    samples: Samples, row: tuple[str, str], sides: tuple[str, str], unit: str, target: Target | None = None
) -> Row:
    """Return the row that compares two sides.

    Args:
        samples: the times.
        row: section, and what is measured.
        sides: the first one is this project's.
        unit: of time.
        target: of the ratio.
    """
    value, other = (samples.median(side) * PER_SECOND[unit] for side in sides)
    return Row(*row, value, unit, sides[1], other, samples.ratio(*sides), target)
