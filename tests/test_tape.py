"""The tape: finite leaves and results, the order of contributions, retaining and releasing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from attnspec.attention.stages import stage
from attnspec.autodiff import operations
from attnspec.autodiff.tape import FloatArray, Tape, Value
from attnspec.errors import (
    InnerWidthError,
    NonFiniteLeafError,
    NonFiniteResultError,
    ReleasedOperandError,
    ShapeMismatchError,
)
from attnspec.numeric.binary64 import equal_bits
from attnspec.numeric.gradient_check import central_differences, check_gradient
from attnspec.numeric.matrix_product import inner_product, ordered_product, transpose
from attnspec.numeric.tensor import Tensor

LEFT = Tensor([[1 / 10, 8 / 7], [13 / 11, -1 / 5]])
RIGHT = Tensor([[1 / 3, -10 / 7], [7 / 9, 5 / 11]])
UPSTREAM = Tensor([[3 / 5, -1 / 3], [17 / 13, 6 / 7]])


def product(retain: bool = False) -> tuple[Tape, Value, Value, Value]:
    """A recorded product with its tape and its leaves, after one backward pass."""
    record = Tape()
    left, right = record.parameter(LEFT, "left"), record.parameter(RIGHT, "right")
    result = operations.matrix_product(left, right)
    record.backward({result: UPSTREAM}, retain=retain)
    return record, left, right, result


@pytest.mark.clause("tape.1")
@pytest.mark.parametrize("make", [Tape.constant, Tape.parameter])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_leaf_that_is_not_finite_is_refused_with_its_first_such_element(
    make: Callable[[Tape, Tensor, str], Value], value: float
) -> None:
    with pytest.raises(NonFiniteLeafError) as caught:
        make(Tape(), Tensor([[0.0, 1.0], [value, np.nan]]), "key")
    details = caught.value.details
    assert (details["tensor"], details["index"]) == ("key", 2)
    assert details["value"] == value or np.isnan(value)


@pytest.mark.clause("tape.2")
@pytest.mark.clause("tape.16")
def test_a_result_that_overflows_names_the_stage_and_keeps_the_tape_s_error() -> None:
    record = Tape()
    left = record.parameter(Tensor([[1.0, 1e200]]), "left")
    with pytest.raises(NonFiniteResultError) as caught, stage("raw_scores", "query", "key"):
        operations.matrix_product(left, record.parameter(Tensor([[1.0], [1e200]]), "right"))
    assert caught.value.details == {"stage": "raw_scores", "index": 0, "value": np.inf}
    assert isinstance(caught.value.__cause__, NonFiniteResultError)
    assert caught.value.__cause__.stage == "matrix_product"


@pytest.mark.clause("tape.5")
@pytest.mark.clause("errors.7")
def test_operands_and_upstreams_cannot_be_written_into() -> None:
    _, left, _, result = product()
    for tensor in (LEFT, RIGHT, UPSTREAM, result.tensor, left.tensor):
        with pytest.raises(ValueError, match="read-only"):
            tensor.array[0, 0] = 9.0
    with pytest.raises(AttributeError, match="cannot be changed"):
        LEFT.array = RIGHT.array


@pytest.mark.clause("tape.6")
def test_a_result_that_is_consumed_twice_is_visited_once_after_both() -> None:
    record = Tape()
    leaf = record.parameter(LEFT, "leaf")
    calls: list[FloatArray] = []

    def rule(gradient: FloatArray) -> tuple[FloatArray]:
        calls.append(gradient)
        return (gradient,)

    shared = record.record("shared", (leaf,), leaf.array, rule)
    first, second = operations.scale(shared, 2.0), operations.scale(shared, 4.0)
    record.backward({first: UPSTREAM, second: UPSTREAM})
    assert len(calls) == 1
    assert equal_bits(calls[0], UPSTREAM.array * 2.0 + UPSTREAM.array * 4.0)


@pytest.mark.clause("tape.7")
@pytest.mark.clause("arithmetic.15")
def test_contributions_are_added_from_zero_own_upstream_first_then_in_recorded_order() -> None:
    factors = (0.1, 0.7, 1.3)
    record = Tape()
    leaf = record.parameter(LEFT, "leaf")
    consumers = [operations.scale(leaf, factor) for factor in factors]
    record.backward({leaf: RIGHT, consumers[2]: UPSTREAM, consumers[0]: UPSTREAM, consumers[1]: UPSTREAM})
    shares = [RIGHT.array, *(UPSTREAM.array * factor for factor in factors)]
    assert equal_bits(gradient_of(leaf), sum_in_order(shares))
    assert not equal_bits(gradient_of(leaf), sum_in_order([shares[0], *shares[:0:-1]])), "newest first is told apart"
    assert not equal_bits(gradient_of(leaf), sum_in_order([*shares[1:], shares[0]])), "own upstream last is told apart"


@pytest.mark.clause("tape.7")
def test_an_intermediate_adds_its_own_upstream_first_then_its_consumers_in_recorded_order() -> None:
    factors = (0.1, 0.7, 1.3)
    record = Tape()
    leaf = record.parameter(LEFT, "leaf")
    middle = operations.scale(leaf, 1.0)
    consumers = [operations.scale(middle, factor) for factor in factors]
    record.backward({middle: RIGHT, **dict.fromkeys(consumers, UPSTREAM)})
    shares = [RIGHT.array, *(UPSTREAM.array * factor for factor in factors)]
    assert equal_bits(gradient_of(leaf), sum_in_order(shares))
    assert not equal_bits(gradient_of(leaf), sum_in_order([shares[0], *shares[:0:-1]])), "newest first is told apart"
    assert not equal_bits(gradient_of(leaf), sum_in_order([*shares[1:], shares[0]])), "own upstream last is told apart"


def test_operands_and_upstreams_of_another_tape_are_refused() -> None:
    one, other = Tape(), Tape()
    left, right = one.parameter(LEFT, "left"), other.parameter(RIGHT, "right")
    with pytest.raises(ValueError, match="another tape"):
        operations.matrix_product(left, right)
    with pytest.raises(ValueError, match="another tape"):
        one.backward({operations.scale(right, 2.0): UPSTREAM})
    assert not one.released


def test_factors_that_do_not_fit_are_refused_by_the_operation_itself() -> None:
    record = Tape()
    wide, tall = record.parameter(Tensor(np.ones((2, 3))), "wide"), record.parameter(Tensor(np.ones((2, 2))), "tall")
    with pytest.raises(InnerWidthError):
        operations.matrix_product(wide, tall)
    with pytest.raises(InnerWidthError):
        operations.row_products(wide, tall)
    with pytest.raises(InnerWidthError):
        operations.project(wide, tall)


@pytest.mark.clause("tape.7")
def test_two_operands_that_are_one_value_contribute_by_position() -> None:
    record = Tape()
    leaf = record.parameter(LEFT, "leaf")
    square = operations.matrix_product(leaf, leaf)
    own = Tensor(RIGHT.array * 16.0)
    record.backward({leaf: own, square: UPSTREAM})
    as_left = ordered_product(UPSTREAM.array, transpose(LEFT.array))
    as_right = ordered_product(transpose(LEFT.array), UPSTREAM.array)
    assert equal_bits(gradient_of(leaf), sum_in_order([own.array, as_left, as_right]))
    assert not equal_bits(gradient_of(leaf), sum_in_order([own.array, as_right, as_left]))


@pytest.mark.clause("tape.7")
def test_a_gradient_of_negative_zero_becomes_zero() -> None:
    record = Tape()
    leaf = record.parameter(LEFT, "leaf")
    record.backward({operations.scale(leaf, 1.0): Tensor(np.full((2, 2), -0.0))})
    assert equal_bits(gradient_of(leaf), np.zeros((2, 2)))


@pytest.mark.clause("tape.8")
def test_a_parameter_that_no_upstream_reaches_has_a_gradient_of_zero() -> None:
    record = Tape()
    leaf, other = record.parameter(LEFT, "leaf"), record.parameter(RIGHT, "other")
    record.backward({operations.scale(leaf, 2.0): UPSTREAM})
    assert equal_bits(gradient_of(other), np.zeros((2, 2)))


@pytest.mark.clause("tape.9")
def test_a_constant_gets_no_gradient_and_its_neighbour_does() -> None:
    record = Tape()
    constant, leaf = record.constant(LEFT, "constant"), record.parameter(RIGHT, "leaf")
    record.backward({operations.matrix_product(constant, leaf): UPSTREAM})
    assert constant.gradient is None
    assert equal_bits(gradient_of(leaf), ordered_product(transpose(LEFT.array), UPSTREAM.array))


@pytest.mark.clause("tape.10")
def test_a_gradient_that_overflows_is_refused_and_changes_no_parameter() -> None:
    record = Tape()
    leaf, other = record.parameter(Tensor([1.0]), "leaf"), record.parameter(Tensor([1.0]), "other")
    results = {operations.scale(other, 2.0): Tensor([1.0]), operations.scale(leaf, 1e200): Tensor([1e200])}
    with pytest.raises(NonFiniteResultError) as caught:
        record.backward(results)
    assert caught.value.details == {"stage": "gradients.leaf", "index": 0, "value": np.inf}
    assert leaf.gradient is None
    assert other.gradient is None


@pytest.mark.clause("tape.11")
def test_an_infinite_gradient_that_nothing_reads_is_no_fault() -> None:
    record = Tape()
    leaf = record.parameter(Tensor([3.0]), "leaf")
    inner = record.record("inner", (leaf,), leaf.array, lambda gradient: (np.zeros(1),))
    record.backward({operations.scale(inner, 1e200): Tensor([1e200])})
    assert equal_bits(gradient_of(leaf), np.zeros(1))


@pytest.mark.clause("tape.12")
def test_a_second_pass_over_a_retained_tape_adds_to_the_gradient() -> None:
    record, left, _, result = product(retain=True)
    once = gradient_of(left)
    record.backward({result: UPSTREAM}, retain=True)
    assert equal_bits(gradient_of(left), once + once)


@pytest.mark.clause("tape.13")
def test_an_upstream_of_another_shape_is_refused() -> None:
    record = Tape()
    result = operations.scale(record.parameter(LEFT, "leaf"), 2.0)
    with pytest.raises(ShapeMismatchError) as caught:
        record.backward({result: Tensor([1.0, 2.0])})
    assert caught.value.details == {"expected": [2, 2], "actual": [2]}


@pytest.mark.clause("tape.14")
def test_a_pass_releases_the_tape_unless_it_is_asked_to_retain_it() -> None:
    record, _, _, result = product(retain=True)
    record.backward({result: UPSTREAM})
    with pytest.raises(ReleasedOperandError):
        record.backward({result: UPSTREAM})


@pytest.mark.clause("tape.15")
@pytest.mark.clause("tape.16")
@pytest.mark.parametrize(("position", "operand"), [(0, "query"), (1, "key")])
def test_a_value_of_a_released_tape_is_refused_with_its_stage_and_name(position: int, operand: str) -> None:
    _, released, _, _ = product()
    record = Tape()
    operands = [record.parameter(LEFT, "one"), record.parameter(RIGHT, "two")]
    operands[position] = released
    with pytest.raises(ReleasedOperandError) as caught, stage("raw_scores", "query", "key"):
        operations.row_products(*operands)
    assert caught.value.details == {"stage": "raw_scores", "operand": operand}
    assert isinstance(caught.value.__cause__, ReleasedOperandError)
    assert caught.value.__cause__.operand == str(position)


def test_the_gradient_check_catches_a_rule_that_is_wrong_by_a_twentieth_of_a_percent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def disagreement() -> tuple[FloatArray, bool]:
        _, left, _, _ = product()
        numeric = central_differences(
            lambda point: inner_product(ordered_product(point, RIGHT.array), UPSTREAM.array), LEFT.array, 1e-6
        )
        return check_gradient(gradient_of(left), numeric, 2e-6)

    assert disagreement()[1]
    monkeypatch.setattr(operations, "product", lambda one, other, wanted=None: ordered_product(one, other) * 1.0005)
    assert not disagreement()[1]


def gradient_of(leaf: Value) -> FloatArray:
    assert leaf.gradient is not None
    return leaf.gradient


def sum_in_order(arrays: list[FloatArray]) -> FloatArray:
    total = np.zeros(arrays[0].shape)
    for array in arrays:
        total = total + array
    return total
