"""What a target is to the judge: something with a name that answers requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from attnspec.corpus.request import Errored, Reply, Request
from attnspec.corpus.vocabulary import OPERATIONS

MOST_EXP_ULPS = 1024  # beyond that an exponential has lost a fifth of its bits


class TargetFault(Exception):
    """A target that cannot be used at all; the message is one line for its author."""


@dataclass(frozen=True)
class Declaration:
    """What a target says of itself.

    Args:
        name: what reports call it.
        version: of the implementation.
        operations: what it implements; others are skipped without asking.
        dtypes: the floating-point types that it takes.
        exp_ulps: the declared error of its exponential.
        has_tape: whether it can tell an operand of a released tape.

    Raises:
        TargetFault: what it declares cannot be, or cannot be asked.
    """

    name: str
    version: str = ""
    operations: tuple[str, ...] = tuple(OPERATIONS)
    dtypes: tuple[str, ...] = ("float64",)
    exp_ulps: float = 2.0
    has_tape: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.exp_ulps, int | float) or not 0.5 <= self.exp_ulps <= MOST_EXP_ULPS:
            raise TargetFault(f"{self.name}: exp_ulps is {self.exp_ulps!r}; 0.5 to {MOST_EXP_ULPS} is expected")
        if "float64" not in self.dtypes:
            raise TargetFault(f"{self.name}: takes {', '.join(self.dtypes)}; float64 is what is asked so far")


class Target(Protocol):
    """The reference, a Python module, a process: whatever computes attention."""

    @property
    def declaration(self) -> Declaration: ...

    def answer(self, request: Request) -> Reply: ...


def ask(target: Target, request: Request) -> Reply:
    """Return the target's reply; an exception that got out of it is its error, not the judge's."""
    try:
        return target.answer(request)
    except Exception as error:
        return Errored(f"{type(error).__name__}: {error}")
