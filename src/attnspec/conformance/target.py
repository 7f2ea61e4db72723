"""What a target is to the judge: something with a name that answers requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from attnspec.corpus.request import Errored, Reply, Request
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.numeric.formats import FORMATS

MOST_EXP_ULPS = 1024  # beyond that an exponential has lost a fifth of its bits
LAYOUTS = ("BTD", "BHTD", "BTHD")
"""Axes of queries, keys, values and outputs: batch, heads, tokens, width. Scores are [B, T, T] or [B, H, T, T]."""


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
        accumulates: a wider type that it computes in where it is asked in a narrower one; results are still rounded.
        exp_ulps: the declared error of its exponential.
        layout: the axes of its tensors, one of `LAYOUTS`.
        has_tape: whether it can tell an operand of a released tape.
        has_details: whether its refusals carry the details that the specification names; they are compared then.

    Raises:
        TargetFault: what it declares cannot be, or cannot be asked.
    """

    name: str
    version: str = ""
    operations: tuple[str, ...] = tuple(OPERATIONS)
    dtypes: tuple[str, ...] = ("float64",)
    accumulates: str = ""
    exp_ulps: float = 2.0
    layout: str = LAYOUTS[0]
    has_tape: bool = False
    has_details: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.exp_ulps, int | float) or not 0.5 <= self.exp_ulps <= MOST_EXP_ULPS:
            raise TargetFault(f"{self.name}: exp_ulps is {self.exp_ulps!r}; 0.5 to {MOST_EXP_ULPS} is expected")
        if self.accumulates and self.accumulates not in FORMATS:
            raise TargetFault(f"{self.name}: accumulates {self.accumulates!r}; known: {', '.join(FORMATS)}")
        if self.layout not in LAYOUTS:
            raise TargetFault(f"{self.name}: layout {self.layout!r}; known: {', '.join(LAYOUTS)}")
        for what, names, known in (("operations", self.operations, OPERATIONS), ("dtypes", self.dtypes, FORMATS)):
            unknown = [name for name in names if name not in known]
            if unknown:
                raise TargetFault(f"{self.name}: {what} holds {unknown[0]!r:.60}; known: {', '.join(known)}")


class Target(Protocol):
    """The reference, a Python module, a process: whatever computes attention."""

    @property
    def declaration(self) -> Declaration: ...

    def answer(self, request: Request) -> Reply: ...


def ask(target: Target, request: Request) -> Reply:
    """Return the target's reply; an exception that got out of it is its error, not the judge's."""
    try:
        return target.answer(request)
    except (Exception, SystemExit) as error:  # who leaves would take the judge along
        return Errored(f"{type(error).__name__}: {error}")
