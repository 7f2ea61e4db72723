"""Say at which stage of a head or projection a tape error arose (errors)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attnspec.errors import NonFiniteResultError, ReleasedOperandError


@contextmanager
def stage(name: str, *operands: str) -> Iterator[None]:
    """Rename tape errors raised inside to the output being computed and its operands; the cause is kept.

    Args:
        name: the output that is being computed.
        operands: the names of the recorded operation's operands, by position.

    Source:
        tape.16, errors.4, errors.9
    """
    try:
        yield
    except NonFiniteResultError as error:
        raise NonFiniteResultError(name, error.index, error.value) from error
    except ReleasedOperandError as error:
        raise ReleasedOperandError(name, operands[int(error.operand)]) from error
