"""A case as a self-contained Python snippet: inputs, upstream, and the answer to the last bit."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import numpy as np

from attnspec.corpus.expectations import answer_values
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Answered, Refused, Reply, Value


def snippet_lines(fixture: Fixture, reply: Reply) -> Iterator[str]:
    """Yield the lines of a program that needs NumPy alone."""
    yield f"# {fixture.id}"
    yield from textwrap.wrap(" ".join(fixture.about.split()), 100, initial_indent="# ", subsequent_indent="# ")
    yield "import numpy as np"
    yield "from numpy import inf, nan"
    yield ""
    yield from (f"{name} = {literal(value)}" for name, value in fixture.request.inputs.items())
    yield from (f"{name}_upstream = {literal(array)}" for name, array in fixture.request.upstream.items())
    yield ""
    if isinstance(reply, Answered):
        yield "# what the specification answers, to the last bit"
        for name, value in answer_values(fixture, reply).items():
            yield f"expected_{name.replace('.', '_')} = {literal(value)}"
    elif isinstance(reply, Refused):
        yield f"# the specification refuses this: {reply.code} ({reply.message})"


def literal(value: Value) -> str:
    """Return Python source of a value; the decimals of a float are the shortest that give its bits back."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim == 0:
        return repr(value.item())
    source = f"np.array({value.tolist()!r}, dtype=np.{value.dtype.name})"
    return source if value.size else f"np.zeros({value.shape}, dtype=np.{value.dtype.name})"
