"""Whether the definitions themselves are computed, in place of what is faster and has the same bits (arithmetic)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_asked: ContextVar[bool] = ContextVar("plain_form", default=False)


def is_plain() -> bool:
    """Return whether products and exponentials are computed as they are defined.

    Source:
        arithmetic
    """
    return _asked.get()


@contextmanager
def plain_form(asked: bool = True) -> Iterator[None]:
    """Compute products and exponentials as they are defined, which takes many times as long.

    Source:
        arithmetic
    """
    before = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(before)
