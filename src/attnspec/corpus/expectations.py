"""Hand-written expectations against computed values: exact, within a tolerance or ulps, or a shape (fixture_format)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnspec.corpus.fixture import Expectation, Fixture, Part
from attnspec.corpus.forms import inside
from attnspec.corpus.goldens import loss
from attnspec.corpus.mismatch import Mismatch, compare_bits, compare_elements
from attnspec.corpus.request import Answered, Array, Value
from attnspec.numeric.binary64 import ulp_distance


def compare_expectations(fixture: Fixture, answer: Answered) -> list[Mismatch]:
    """Return where an answer departs from what the fixture's author wrote."""
    values = answer_values(fixture, answer)
    return [
        mismatch
        for name, expectation in fixture.expect.items()
        for mismatch in (
            compare_expectation(name, expectation, values[name])
            if name in values
            else [Mismatch(name, (), "a value", "nothing", remark="expectation")]
        )
    ]


def answer_values(fixture: Fixture, answer: Answered) -> dict[str, Value]:
    """Return everything that an answer holds, by full name: `output`, `loss`, `gradients.key`."""
    values = dict(answer.outputs)
    if fixture.request.upstream:
        values["loss"] = np.array(loss(fixture.request, answer))
    return values | {f"gradients.{name}": array for name, array in answer.gradients.items()}


def compare_expectation(name: str, expectation: Expectation, value: Value) -> list[Mismatch]:
    """Return where one value departs from its expectation; `within` is absolute, and a NaN is never within."""
    if expectation.parts is not None:
        return [found for part in expectation.parts for found in _compare_part(name, part, value)]
    expected = expectation.values
    if expected is None:
        return _compare_shape(name, expectation.shape, value)
    if expectation.within is not None:
        return compare_within(name, _array(expected), value, expectation.within)
    if expectation.ulps is not None:
        limit = expectation.ulps
        return compare_elements(
            name,
            _array(expected),
            value,
            lambda left, right: ulp_distance(float(left), float(right)) <= limit,
            f"expectation, at most {limit} ulps",
        )
    return [
        Mismatch(found.tensor, found.index, found.expected, found.got, found.ulps, "expectation, exact")
        for found in compare_bits(name, expected, value)
    ]


def compare_within(
    name: str, expected: Array, got: Value, within: float, remark: str = "expectation"
) -> list[Mismatch]:
    """Return where two tensors are further apart than an absolute tolerance; equal infinities agree."""
    return compare_elements(
        name,
        expected,
        got,
        lambda left, right: bool(left == right or abs(float(left) - float(right)) <= within),
        f"{remark}, within {within:g}",
    )


def _compare_part(name: str, part: Part, value: Value) -> list[Mismatch]:
    """Return where the part of a tensor departs from what was written for it."""
    if not isinstance(value, np.ndarray) or not inside(part.at, value.shape):
        return [Mismatch(name, part.at, "a value", "nothing", remark="expectation")]
    expectation = Expectation(values=part.values, within=part.within)
    found = compare_expectation(name, expectation, np.asarray(value[part.at]))
    return [replace(mismatch, index=(*part.at, *mismatch.index)) for mismatch in found]


def _compare_shape(name: str, shape: tuple[int, ...] | None, value: Value) -> list[Mismatch]:
    got = value.shape if isinstance(value, np.ndarray) else None
    if got == shape:
        return []
    return [Mismatch(name, (), f"shape {list(shape or ())}", f"shape {list(got or ())}", remark="expectation")]


def _array(value: Value) -> Array:
    assert isinstance(value, np.ndarray)  # lint: only tensors have a tolerance
    return value
