"""Goldens against the mathematics: ball arithmetic encloses what each value should have been."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

import plain
from attnspec.corpus.axes import BATCH, select_request
from attnspec.corpus.request import Request
from oracle import Balls, backward, forward, loss
from oracle.balls import exact
from oracle.cases import Case, accepted, each
from oracle.compare import UNDERFLOW, crude_bound, departures, truth
from oracle.rows import crude_row, head_row
from plain import heads
from plain.target import numpy_value, plain_values

LONGEST = 1031  # rows of a case that is enclosed as a whole, which takes half a minute and 2 GB


@pytest.mark.parametrize("case", each(lambda case: case.rows <= LONGEST))
def test_every_golden_is_where_the_truth_says_it_must_be(case: Case) -> None:
    expected = case.kept(truth(case.request))
    assert departures(case.request, case.values(), crude_bound, expected) == []


@pytest.mark.slow
def test_a_batch_element_of_a_longer_golden_is_where_the_truth_says_it_must_be() -> None:
    case = named("attention/two_batches_of_1031")
    for element in range(2):
        alone = select_request(case.request, BATCH, slice(element, element + 1))
        values = {name: value[element : element + 1] for name, value in case.values().items() if np.ndim(value)}
        expected = {name: ball for name, ball in truth(alone).items() if name in values}
        assert departures(alone, values, crude_bound, expected) == []


def named(name: str) -> Case:
    (case,) = [case for case in accepted() if case.name == name]
    return case


TOKENS_1031 = named("causal_attention/tokens_1031")
LONG_HEADS = [case for case in accepted() if case.tokens > 512 and "query" in case.request.inputs]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[] if case is TOKENS_1031 else [pytest.mark.slow]) for case in LONG_HEADS],
)
def test_rows_of_a_long_golden_are_where_the_truth_says_they_must_be(case: Case) -> None:
    values = case.values()
    batch, tokens = values["output"].shape[:2]
    for row in (0, 511, 512, 1024, tokens - 1):
        if row < tokens:
            assert departing(case, values, batch - 1, row) == []


def departing(case: Case, values: Mapping[str, Any], batch: int, row: int) -> list[str]:
    """Where a row is further from the truth than arithmetic of 53 bits can be."""
    limits, found = crude_row(case.request, batch, row), []
    for name, balls in head_row(case.request, batch, row).items():
        got, seen = values[name][batch, row], len(balls.cells)
        if name == "probabilities" and got[seen:].any():
            found.append(f"{name}[{row}]: a blocked key has a weight")
        cells = zip(got[:seen].tolist(), balls.cells, limits[name], strict=True)
        found += [
            f"{name}[{row}, {at}]: {number!r} is not within {limit} of {ball.str(25)}"
            for at, (number, ball, limit) in enumerate(cells)
            if not abs(ball - arb(number)) <= limit + UNDERFLOW
        ]
    return found


def test_a_row_of_a_long_golden_that_is_a_billionth_off_is_caught() -> None:
    names = ("raw_scores", "scaled_scores", "probabilities", "output", "gradients.query")
    values = TOKENS_1031.values()
    moved = {**values, **{name: values[name].copy() for name in names}}
    for name in names:
        moved[name][0, 512, 7] += 1e-9
    moved["probabilities"][0, 512, 513] = 1e-300
    found = [line.split(":")[0] for line in departing(TOKENS_1031, moved, 0, 512)]
    assert sorted(found) == sorted(["probabilities[512]", *(f"{name}[512, 7]" for name in names)])


@pytest.mark.parametrize("case", each(lambda case: case.request.operation == "exponential" and not case.law))
def test_every_exponential_is_the_nearest_number(case: Case) -> None:
    values, enclosed = case.values()["y"].ravel().tolist(), truth(case.request)["y"]
    assert isinstance(enclosed, Balls)
    far = [value for value, ball in zip(values, enclosed.cells, strict=True) if not nearest(value, ball)]
    assert far == []


def nearest(value: float, ball: arb) -> bool:
    """Does the ball lie between the middles of the value and its neighbours?"""
    if not math.isfinite(value):
        return bool(ball.is_nan() if math.isnan(value) else ball > arb(2) ** 1024)
    with ctx.workprec(2400):
        low, high = ((arb(value) + arb(math.nextafter(value, end))) / 2 for end in (-math.inf, math.inf))
        return bool(low <= ball) and bool(ball <= high)


def test_the_number_beside_the_nearest_is_caught() -> None:
    ball = truth(Request("exponential", {"x": np.array(-1.0)}))["y"]
    assert isinstance(ball, Balls)
    steps = [math.nextafter(0.36787944117144233, end) for end in (0.0, 1.0)]
    assert [nearest(value, ball.cells[0]) for value in (0.36787944117144233, *steps)] == [True, False, False]


# The oracle itself

THREE_TOKENS = Request(
    "causal_attention",
    {
        "query": np.array([[[0.0, 3], [2, -1], [1, 1]]]),
        "key": np.array([[[3.0, 0], [-1, 2], [2, 1]]]),
        "value": np.array([[[3.0, -3], [1, 3], [-2, 4]]]),
    },
    {"output": np.array([[[1, -0.5], [0.25, 2], [-1, 0.75]]])},
)
PUBLISHED = {
    "probabilities": [1, 0, 0, 0.999151, 0.000849, 0, 0.445808, 0.108383, 0.445808],
    "output": [3, -3, 2.998303, -2.994908, 0.554192, 0.770959],
    "loss": [-0.716214],
    "gradients.query": [0, 0, -0.027579, 0.013790, -1.944424, 1.756510],
    "gradients.key": [-1.676343, -1.655658, 0.107746, 0.087062, 1.568596, 1.568596],
    "gradients.value": [0.803980, 1.832659, -0.108171, 0.082985, -0.445808, 0.334356],
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_oracle_encloses_the_published_example(name: str) -> None:
    enclosed = truth(THREE_TOKENS)[name]
    assert isinstance(enclosed, Balls)
    pairs = zip(enclosed.cells, PUBLISHED[name], strict=True)
    assert all(abs(cell - arb(number)) < 5.1e-7 for cell, number in pairs)


@pytest.mark.parametrize("operation", ["attention", "causal_attention", "scaled_scores", "causal_softmax"])
def test_the_oracle_s_gradients_are_the_derivatives_of_its_loss(operation: str) -> None:
    square = [[0.3, -0.2, 0.7], [1.1, 0.4, -0.6], [-0.9, 0.8, 0.1]]
    inputs = {name: exact(THREE_TOKENS.inputs[name]) for name in ("query", "key", "value")}
    upstream = {name: np.array([square]) for name in ("raw_scores", "scaled_scores", "probabilities")}
    upstream |= THREE_TOKENS.upstream
    if operation == "scaled_scores":
        del inputs["value"], upstream["probabilities"], upstream["output"]
    if operation == "causal_softmax":
        inputs, upstream = {"scores": exact(np.array([square]))}, {"probabilities": np.array([square]) / 3}
    with ctx.workprec(600):
        gradients = backward(operation, inputs, {name: exact(value) for name, value in upstream.items()})
        for name, tensor in inputs.items():
            for at, gradient in enumerate(gradients[name].cells):
                slope = central_difference(operation, inputs, upstream, name, at)
                assert abs(slope - gradient) < arb(2) ** -200, f"{name}, cell {at}: {tensor.shape}"


def central_difference(
    operation: str, inputs: Mapping[str, Balls], upstream: Mapping[str, Any], name: str, at: int
) -> arb:
    step = arb(2) ** -120

    def shifted(by: arb) -> arb:
        cells = [cell + by if place == at else cell for place, cell in enumerate(inputs[name].cells)]
        return loss(forward(operation, {**inputs, name: Balls(inputs[name].shape, cells)}), upstream, bits=600)

    return (shifted(step) - shifted(-step)) / (2 * step)


# Broken twins


def test_a_plain_answer_passes_and_one_without_the_scale_on_the_way_back_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert departures(THREE_TOKENS, plain_answer(THREE_TOKENS)) == []
    monkeypatch.setattr(heads, "towards_raw", lambda d_scaled, raw_start, scale: d_scaled)
    caught = departures(THREE_TOKENS, plain_answer(THREE_TOKENS))
    assert {line.split("[")[0] for line in caught} == {"gradients.query", "gradients.key"}


@pytest.mark.parametrize("name", ["output", "raw_scores", "mask", "probabilities", "scale", "loss", "gradients.value"])
def test_a_tensor_that_is_a_billionth_off_is_caught(name: str) -> None:
    answer = plain_answer(THREE_TOKENS)
    answer[name] = answer[name] * (1.0 + 1e-9) + 1e-9 if name != "mask" else np.maximum(answer[name], -1e30)
    assert {line.split("[")[0] for line in departures(THREE_TOKENS, answer)} == {name}


def test_a_tighter_bound_can_be_handed_in() -> None:
    nothing = {name: np.zeros_like(value) for name, value in plain_answer(THREE_TOKENS).items()}
    caught = departures(THREE_TOKENS, plain_answer(THREE_TOKENS), bound=lambda request: nothing)
    assert any(line.startswith("probabilities[0, 1, 0]") for line in caught)


def plain_answer(request: Request) -> dict[str, Any]:
    """Outputs, loss and gradients by full name, as plain Python computes them."""
    inputs, upstream = plain_values(request.inputs), plain_values(request.upstream)
    given = {name: value for name, value in upstream.items() if isinstance(value, plain.Array)}
    outputs, gradients = plain.answer(request.operation, inputs, given)
    values: dict[str, plain.Value] = {**outputs, "loss": plain.Array((), [plain.loss(outputs, given)])}
    values |= {f"gradients.{name}": gradient for name, gradient in gradients.items()}
    return {name: numpy_value(value) for name, value in values.items()}
