"""What a platform answered against what it must, bit for bit, for check_portability.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from _portability_tasks import Task
from _portability_worker import first_difference
from attnspec.corpus.mismatch import Mismatch, compare_bits, steps_between
from attnspec.corpus.request import Array
from attnspec.corpus.values import decode
from attnspec.numeric.binary64 import from_bits, to_bits


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


def differences(task: Task, reply: Mapping[str, Any], placed: Callable[[], Mapping[str, Any]]) -> Iterator[Difference]:
    """Yield where an answer is not what is expected.

    Args:
        task: what was asked.
        reply: what the worker wrote.
        placed: asks the platform again, where the large tensors of this task differ from those computed here.
    """
    if reply["inputs"] != task.inputs:
        yield Difference(task.name, Mismatch("inputs", (), "as they were written", "others: they are read otherwise"))
        return
    if "refused" in reply:
        yield Difference(task.name, Mismatch("outputs", (), "an answer", reply["refused"]))
        return
    places: Mapping[str, Any] | None = None
    for name, expected in task.expected.items():
        got = reply["forms"].get(name)
        if got == expected:
            continue
        if got is None:
            yield Difference(task.name, Mismatch(name, (), "a value", "nothing"))
        elif not _is_digest(expected) or not _is_digest(got):
            yield _small(task.name, name, expected, got)
        else:
            if places is None and name in task.large_here():
                places = placed()
            yield _large(task, name, got, places or {})


def _is_digest(form: Any) -> bool:
    return isinstance(form, dict) and "sha256" in form


def _small(case: str, name: str, expected: Any, got: Any) -> Difference:
    if _is_digest(expected) or _is_digest(got):
        return Difference(case, Mismatch(name, (), _size(expected), _size(got)))
    want, have = decode(expected), decode(got)
    if not isinstance(want, np.ndarray) or not isinstance(have, np.ndarray) or _size(expected) != _size(got):
        return Difference(case, compare_bits(name, want, have)[0])
    index, count = first_difference(want, have)
    return _element(case, name, index, count, want, np.asarray(have[index]))


def _large(task: Task, name: str, got: Mapping[str, Any], places: Mapping[str, Any]) -> Difference:
    """Name the element; where this machine does not give the golden either there is none to compare with."""
    expected = task.expected[name]
    if _size(expected) != _size(got):
        return Difference(task.name, Mismatch(name, (), _size(expected), _size(got)))
    if name not in places:
        want, have = (f"the digest {one['sha256'][:16]}" for one in (expected, got))
        remark = "this machine's own answer has another digest too, or the second answer was right"
        return Difference(task.name, Mismatch(name, (), want, have, remark=remark))
    found, here = places[name], task.large_here()[name]
    there = from_bits([found["bits"]], [], here.dtype.name)
    return _element(task.name, name, tuple(found["index"]), found["count"], here, there)


def _size(form: Any) -> str:
    is_tensor = isinstance(form, dict) and "shape" in form
    return f"{form['dtype']} of shape {form['shape']}" if is_tensor else f"{form!r:.80}"


def _element(case: str, name: str, index: tuple[int, ...], count: int, expected: Array, have: Array) -> Difference:
    want = np.asarray(expected[index])
    ulps = steps_between(float(want), float(have)) if want.dtype.kind == "f" else None
    more = f"and {count - 1:,} more of {expected.size:,}" if count > 1 else ""
    mismatch = Mismatch(name, index, repr(want.item()), repr(have.item()), ulps, more)
    return Difference(case, mismatch, *to_bits(want), *to_bits(have))
