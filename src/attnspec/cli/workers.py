"""The processes of `--jobs`: they start fresh and end with the run, whatever ends it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from types import FrameType, TracebackType
from typing import Any, TypeVar

from attnspec.cli.aside import print_aside
from attnspec.conformance.jobs import let_go
from attnspec.conformance.line_process import kill_all
from attnspec.conformance.signals import put_off

Returned = TypeVar("Returned")
PATIENCE = 5.0  # seconds for a worker to end its target, which takes up to two


class Workers(ProcessPoolExecutor):
    """A pool of new interpreters: a fork would copy locks that other threads of this process may hold.

    Args:
        jobs: how many.
        module: what they import first, while this process goes on.
    """

    def __init__(self, jobs: int, module: str) -> None:
        self._others = set(multiprocessing.active_children())
        self._under_way: set[Future[Any]] = set()
        super().__init__(jobs, multiprocessing.get_context("spawn"), _begin)
        for _ in range(jobs):
            self.submit(_import, module)

    def submit(self, task: Callable[..., Returned], /, *given: Any, **named: Any) -> Future[Returned]:
        """Hand in a task; a process that is started for it is born deaf to the terminal's interrupt."""
        with _interrupts_held():
            future = super().submit(task, *given, **named)
        future.cancel = _no_cancelling  # type: ignore[method-assign]
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the processes end, or end them at once where the run was cut short."""
        try:
            if not self._under_way:
                self.shutdown()
        finally:
            self._stop()

    def _stop(self) -> None:
        with _interrupts_held():  # a second interrupt would leave processes behind; this ends in any case
            left = [child for child in multiprocessing.active_children() if child not in self._others]
            for child in left:
                child.terminate()
            end = time.monotonic() + PATIENCE
            for child in left:
                child.join(max(0.0, end - time.monotonic()))
                child.kill()
            self.shutdown(cancel_futures=True)  # its thread takes note of their ends; it waits for nothing else now


def _no_cancelling() -> bool:
    """Say that nothing was cancelled: the pool's own thread trips over that when workers end, and they all end."""
    return False


def _import(module: str) -> None:
    import_module(module)


def _begin() -> None:
    """Leave interrupts and standard output to the process that started this one; end when it asks or is gone."""
    print_aside()
    signal.signal(signal.SIGINT, lambda number, frame: None)  # what is ignored, a target would go on ignoring
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_outlive_nobody, daemon=True).start()


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would come before the target has ended
    let_go()
    kill_all()  # of a target that has not started yet nobody else knows
    os._exit(1)  # an exception would be taken for the result of what was under way


def _outlive_nobody() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os._exit(1)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put off what would end this process; one that is started meanwhile is born with interrupts blocked."""
    with put_off():
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
        try:
            yield
        finally:
            if mask is not None:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
