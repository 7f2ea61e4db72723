"""Signals that end a run: put off while processes start, and raised where one has to be ended first (conformance)."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # the last is what a terminal sends that is closed
_ENDING = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def put_off() -> Iterator[None]:
    """Let a signal that ends this run wait, so that a process that is started meanwhile is known to who ends it."""
    if not _is_main():  # in another thread no signal is handled
        yield
        return
    came: list[int] = []
    before = _replace(callable, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        _restore(before)
        for number in came[:1]:
            before[number](number, None)


@contextmanager
def as_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt where a signal would end this process at once; it ends this process afterwards.

    A signal that somebody else handles, or that is ignored, stays as it is.
    """
    if not _is_main():
        yield
        return
    came: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    before = _replace(lambda handler: handler is signal.SIG_DFL, interrupt)
    try:
        yield
    finally:
        _restore(before)
        for number in came[:1]:
            _flush()
            os.kill(os.getpid(), number)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _replace(chosen: Callable[[Any], bool], handler: Callable[[int, FrameType | None], None]) -> dict[int, Any]:
    """Give a handler to the signals whose own is chosen, and return what they had."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    before = {number: old for number, old in before.items() if chosen(old)}
    for number in before:
        signal.signal(number, handler)
    return before


def _restore(before: dict[int, Any]) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
