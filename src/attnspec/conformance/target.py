"""What a target is to the judge: something with a name that answers requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from attnspec.corpus.request import Errored, Reply, Request
from attnspec.corpus.vocabulary import OPERATIONS


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
        accumulates: the type that its sums are kept in, by input type, where it is wider.
        has_tape: whether it can tell an operand of a released tape.
    """

    name: str
    version: str = ""
    operations: tuple[str, ...] = tuple(OPERATIONS)
    dtypes: tuple[str, ...] = ("float64",)
    exp_ulps: float = 2.0
    accumulates: Mapping[str, str] = field(default_factory=dict)
    has_tape: bool = False


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
