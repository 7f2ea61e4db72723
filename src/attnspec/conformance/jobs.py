"""Work on many things on any executor: results in order, few of them under way at a time (conformance)."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from typing import Any, Protocol, TypeVar
from uuid import uuid4

Item = TypeVar("Item")
Result = TypeVar("Result")
ItemIn = TypeVar("ItemIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)

AHEAD = 4  # chunks under way for each worker: the next ones wait there while the first one takes long
_LARGEST = 32  # things in a chunk: what an interrupt loses
_LEAST_CHUNKS = 8  # for each worker, so that all end at about the same time


class Worker(Protocol[ItemIn, ResultOut]):
    """Does one thing after the other with what it opened once, such as a process of the target."""

    def __call__(self, item: ItemIn, /) -> ResultOut: ...

    def close(self) -> None: ...


def in_order(
    executor: Executor | None, opener: Callable[[], Worker[Item, Result]], items: Sequence[Item], width: int
) -> Generator[Result, None, None]:
    """Yield the result for each item, in the order of the items.

    Args:
        executor: of processes, of threads, of a cluster. Nothing is asked of it but `submit`. Without one, this thread
            does the work.
        opener: makes a worker; it is called once in each process or thread of the executor. It, the items and the
            results can be pickled where they have to travel.
        items: are sent in chunks, no more than `AHEAD` for each worker at a time.
        width: how many workers the executor has.

    Raises:
        Exception: the first one in the order of the items that opening or working raised.
    """
    if executor is None:
        with closing(opener()) as worker:
            yield from map(worker, items)
        return
    run = uuid4().hex
    size = max(1, min(_LARGEST, len(items) // (_LEAST_CHUNKS * width)))
    pending: deque[Future[list[Result]]] = deque()
    try:
        for start in range(0, len(items), size):
            if len(pending) == AHEAD * width:
                yield from pending[0].result()
                pending.popleft()
            pending.append(executor.submit(_work, run, opener, items[start : start + size]))
        while pending:
            yield from pending[0].result()
            pending.popleft()
    finally:
        for future in pending:
            future.cancel()


def let_go() -> None:
    """Close the worker of this thread, if there is one."""
    held, _here.held = getattr(_here, "held", None), None
    if held is not None:
        held.close()


class _Held:
    """A worker that is closed when nobody holds it any more: at the end of its thread, or of the process."""

    def __init__(self, run: str, worker: Worker[Any, Any]) -> None:
        self.run = run
        self.worker = worker
        self.close = weakref.finalize(self, worker.close)


_here = threading.local()  # an executor has no place of its own to open something once, a cluster least of all


def _work(run: str, opener: Callable[[], Worker[Item, Result]], items: Sequence[Item]) -> list[Result]:
    held = getattr(_here, "held", None)
    if held is None or held.run != run:  # of a run before, with another target, or the same one as it was then
        let_go()
        held = _here.held = _Held(run, opener())
    return [held.worker(item) for item in items]
