"""A second reference in plain Python gives the bits of the goldens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from inspect import signature
from types import ModuleType
from typing import Any

import pytest

import plain
from attnspec.corpus.goldens import Golden, compare_forms
from attnspec.corpus.values import encode_for_reading
from attnspec.corpus.vocabulary import OPERATIONS, Operation
from oracle.cases import Case, accepted, each
from plain import arithmetic, heads, projections, softmax, target
from plain.arrays import Array, Matrix
from plain.target import numpy_value, plain_values

TOKENS = 32  # plain Python is slow


def small(case: Case) -> bool:
    return case.tokens <= TOKENS and case.profile != "large"


@pytest.mark.parametrize("case", each(small))
@pytest.mark.clause("arithmetic.1", "arithmetic.2", "arithmetic.3", "arithmetic.4", "arithmetic.8", "arithmetic.9")
@pytest.mark.clause("arithmetic.10", "arithmetic.11", "arithmetic.12", "arithmetic.13", "arithmetic.14")
@pytest.mark.clause("arithmetic.15", "arithmetic.16", "arithmetic.17", "arithmetic.18", "tape.7", "tape.8")
def test_plain_python_gives_the_golden_s_bits(case: Case) -> None:
    assert differences(case) == []


def differences(case: Case) -> list[str]:
    """Where plain Python and the golden differ: case, tensor, index, both bits."""
    inputs, upstream = plain_values(case.request.inputs), plain_values(case.request.upstream)
    given = {name: value for name, value in upstream.items() if isinstance(value, Array)}
    outputs, gradients = plain.answer(case.request.operation, inputs, given)
    parts: dict[str, Any] = {"outputs": _forms(case.kept(outputs))}
    if given:
        total = Array((), [plain.loss(outputs, given)])
        parts |= {"loss": encode_for_reading(numpy_value(total)), "gradients": _forms(gradients)}
    golden = case.golden()
    mine = Golden(golden.case, golden.inputs_sha256, parts)
    return [f"{case.name}: {mismatch}" for mismatch in compare_forms(golden.flat(), mine.flat())]


def _forms(values: dict[str, Any]) -> dict[str, Any]:
    return {name: encode_for_reading(numpy_value(value)) for name, value in values.items()}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda operation: operation.name)
def test_the_plain_target_takes_every_input_and_upstream_of_the_vocabulary(operation: Operation) -> None:
    upstreams = [f"{name}_upstream" for name in operation.upstreams]
    assert list(signature(getattr(target, operation.name)).parameters) == list(operation.inputs)
    if operation.gradients:
        taken = list(signature(getattr(target, f"{operation.name}_vjp")).parameters)
        assert taken == [*operation.inputs, *upstreams]


# Each twin departs from the fixed order in one place, as an implementation well might


def running_sum_from_one(exponentials: dict[int, float], first: int) -> float:
    total = 1.0
    for key, term in exponentials.items():
        total = total + (term if key != first else 0.0)
    return total


def every_key_in_order(exponentials: dict[int, float], first: int) -> float:
    return arithmetic.total(exponentials.values())


def last_maximum(scores: list[float], keys: softmax.Keys) -> int:
    return max(keys, key=lambda key: (scores[key], key))


def root_of_the_inverse(width: int) -> float:
    return math.sqrt(1.0 / float(width))


def backwards(terms: Iterable[float]) -> float:
    result = 0.0
    for term in reversed(list(terms)):
        result = result + term
    return result


def divided_by_the_root(d_scaled: Matrix, raw_start: Matrix, scale: float) -> Matrix:
    return heads.added(raw_start, [[cell / (1.0 / scale) for cell in row] for row in d_scaled])


def newest_first(parts: list[Matrix]) -> Matrix:
    return joined(parts[::-1])


joined = projections.joined

TWINS: list[tuple[ModuleType, str, Callable[..., Any]]] = [
    (softmax, "denominator", running_sum_from_one),
    (softmax, "denominator", every_key_in_order),
    (softmax, "first_maximum", last_maximum),
    (heads, "scale_of", root_of_the_inverse),
    (heads, "towards_raw", divided_by_the_root),
    (arithmetic, "total", backwards),
    (projections, "joined", newest_first),
]


@pytest.mark.parametrize(("module", "name", "twin"), TWINS, ids=lambda part: getattr(part, "__name__", str(part)))
def test_some_fixture_catches_an_order_of_our_own(
    module: ModuleType, name: str, twin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, twin)
    assert any(differences(case) for case in accepted() if small(case) and case.profile != "init")
