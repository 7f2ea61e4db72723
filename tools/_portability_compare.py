"""What a platform answered against what it must, bit for bit, for check_portability.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from _portability_tasks import Task
from _portability_worker import form
from attnspec.corpus.mismatch import Mismatch, compare_bits, steps_between
from attnspec.corpus.request import Array, Value
from attnspec.corpus.values import decode
from attnspec.numeric.binary64 import to_bits


@dataclass(frozen=True)
class Difference:
    """A tensor that came out otherwise: of which case, where first, and the bits of both values."""

    case: str
    mismatch: Mismatch
    expected_bits: str = ""
    got_bits: str = ""

    def __str__(self) -> str:
        bits = f"; bits {self.expected_bits}, got {self.got_bits}" if self.got_bits else ""
        return f"{self.case}: {self.mismatch}{bits}"


def differences(task: Task, reply: Mapping[str, Any], whole: Callable[[], Mapping[str, Any]]) -> Iterator[Difference]:
    """Yield where an answer is not what is expected.

    Args:
        task: what was asked.
        reply: what the worker wrote.
        whole: asks the platform again, for the bits of every tensor of this task.
    """
    if reply["inputs"] != task.inputs:
        yield Difference(task.name, Mismatch("inputs", (), "as they were written", "others: they are read otherwise"))
    elif "refused" in reply:
        yield Difference(task.name, Mismatch("outputs", (), "an answer", reply["refused"]))
    else:
        forms = reply["forms"]
        differing = [name for name, expected in task.expected.items() if forms.get(name) != expected]
        if any("rows" in forms.get(name, ()) for name in differing):
            forms = forms | {name: one for name, one in whole().items() if "rows" in forms[name]}
        for name in differing:
            if name not in forms:
                yield Difference(task.name, Mismatch(name, (), "a value", "nothing"))
            else:
                yield _difference(task, name, decode(forms[name]), reply["forms"][name])


def _difference(task: Task, name: str, got: Value, told: Any) -> Difference:
    """Name the element. Where the golden holds digests it is computed here, and where that fails the row is named."""
    expected = task.expected[name]
    if not isinstance(expected, dict) or "rows" not in expected:
        return _first(task.name, name, decode(expected), got)
    here = task.computed_here.get(name)
    if here is not None and form(here) == expected:
        return _first(task.name, name, here, got)
    if told.get("shape") != expected["shape"] or "rows" not in told:
        return Difference(task.name, Mismatch(name, (), f"shape {expected['shape']}", f"{told!r:.80}"))
    pairs = list(zip(expected["rows"], told["rows"], strict=True))
    row = next((row for row, (want, have) in enumerate(pairs) if want != have), 0)
    index = tuple(map(int, np.unravel_index(row, expected["shape"][:-1])))
    return Difference(task.name, Mismatch(name, index, "this row's digest", "another"), *pairs[row])


def _first(case: str, name: str, expected: Value, got: Value) -> Difference:
    """Name the first element whose bits differ, and say how many more do."""
    if not (isinstance(expected, np.ndarray) and isinstance(got, np.ndarray)):
        return Difference(case, compare_bits(name, expected, got)[0])
    if expected.shape != got.shape or expected.dtype != got.dtype:
        return Difference(case, compare_bits(name, expected, got)[0])
    places = np.flatnonzero(_patterns(expected) != _patterns(got))
    index = tuple(map(int, np.unravel_index(places[0], expected.shape)))
    want, have = np.asarray(expected[index]), np.asarray(got[index])
    ulps = steps_between(float(want), float(have)) if want.dtype.kind == "f" else None
    more = f"and {len(places) - 1:,} more of {expected.size:,}" if len(places) > 1 else ""
    mismatch = Mismatch(name, index, repr(want.item()), repr(have.item()), ulps, more)
    return Difference(case, mismatch, *to_bits(want), *to_bits(have))


def _patterns(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(-1).view(f"u{array.dtype.itemsize}")
