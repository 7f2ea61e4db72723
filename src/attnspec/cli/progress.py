"""Progress of long work: a bar on a terminal, a plain line every few seconds elsewhere, nothing for short work."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
PATIENCE = 1.0  # seconds of silence before a bar is worth its import
PLAIN_INTERVAL = 10.0


def track(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield the items and show on stderr how many of the total are done."""
    start = shown = time.monotonic()
    bar = None
    if sys.stderr is None:  # closed by the caller
        yield from items
        return
    try:
        for done, item in enumerate(items, start=1):
            now = time.monotonic()
            if bar is None and sys.stderr.isatty() and now - start > PATIENCE:
                bar = _bar(what, total)
            if bar is not None:
                bar.update(bar.task_ids[0], completed=done)
            elif not sys.stderr.isatty() and now - shown > PLAIN_INTERVAL:
                print(f"{done} of {total} {what}", file=sys.stderr, flush=True)
                shown = now
            yield item
    finally:
        if bar is not None:
            bar.stop()  # an interrupted bar would leave the terminal without its cursor


def _bar(what: str, total: int):  # type: ignore[no-untyped-def]  # rich is imported only when needed
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    bar.start()
    return bar
