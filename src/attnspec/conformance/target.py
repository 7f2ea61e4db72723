"""What a target is to the judge: something with a name that answers requests."""

from __future__ import annotations

from typing import Protocol

from attnspec.corpus.request import Errored, Reply, Request


class Target(Protocol):
    """The reference, a Python module, a process: whatever computes attention."""

    @property
    def name(self) -> str: ...

    def answer(self, request: Request) -> Reply: ...


def ask(target: Target, request: Request) -> Reply:
    """Return the target's reply; an exception that got out of it is its error, not the judge's."""
    try:
        return target.answer(request)
    except Exception as error:
        return Errored(f"{type(error).__name__}: {error}")
