"""What JAX's complaints mean, where its words say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_OWN_WORDS = re.compile(r"dot_general requires|shape must have every element be nonnegative")
_WIDTHS = {"matrix_product": "inner_width", "linear_projection": "input_width", "scaled_scores": "width_mismatch"}
_SHAPE = re.compile(r"(\w+) shape should be \[([-\d, ]+)\]: but got \(([\d, ]+)\)")


class JaxRefusal(ValueError):
    """A TypeError in which JAX complains of shapes; any other TypeError is a defect of who called it."""


@contextmanager
def own_words() -> Iterator[None]:
    """Turn a TypeError that says what JAX says of shapes into a refusal."""
    try:
        yield
    except TypeError as error:
        if _OWN_WORDS.search(str(error)):
            raise JaxRefusal(f"TypeError: {error}") from error
        raise


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where the message shows it; in attention a product may be either of two."""
    message = str(exception)
    if "dot_general requires contracting dimensions" in message:
        return _WIDTHS.get(operation)
    if "be nonnegative" in message:
        return "negative_tokens"
    if "ndim should be" in message or "must have ndim at least" in message:
        return "rank"
    return _code_of_shapes(message)


def _code_of_shapes(message: str) -> str | None:
    """Return what disagrees of two shapes [B, T, N, H] in a message; values may have a width of their own."""
    said = _SHAPE.search(message)
    if said is None:
        return None
    wanted, got = (list(map(int, shape.strip(", ").split(","))) for shape in said.groups()[1:])
    differing = [axis for axis, (one, other) in enumerate(zip(wanted, got, strict=True)) if -1 != one != other]
    if not differing:
        return None
    of_axis = {0: "batch_mismatch", 1: "token_mismatch", 3: "width_mismatch" if said[1] != "value" else None}
    return of_axis.get(differing[0])
