"""Bits to text and back, ulps, and the tensor that holds them."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from attnspec.attention.causal_mask import causal_mask
from attnspec.errors import MaskMemoryError, ShapeMismatchError
from attnspec.numeric.binary64 import (
    NAN_DISTANCE,
    bits_of,
    equal_bits,
    float_of,
    from_bits,
    to_bits,
    ulp_distance,
)
from attnspec.numeric.gradient_check import central_differences
from attnspec.numeric.matrix_product import inner_product
from attnspec.numeric.splitmix64 import SplitMix64
from attnspec.numeric.tensor import Tensor

LARGEST = 1.7976931348623157e308
QUIET, OTHER = float_of("7ff8000000000000"), float_of("7ff8000000000001")


@pytest.mark.clause("arithmetic.22")
@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (1.0, "3ff0000000000000"),
        (-0.0, "8000000000000000"),
        (5e-324, "0000000000000001"),
        (math.inf, "7ff0000000000000"),
        (-2.0, "c000000000000000"),
        (LARGEST, "7fefffffffffffff"),
    ],
)
def test_bits_are_written_with_the_most_significant_digit_first(value: float, bits: str) -> None:
    assert bits_of(value) == bits
    assert bits_of(float_of(bits)) == bits


@given(st.integers(0, 2**64 - 1))
def test_every_pattern_survives_the_way_to_text_and_back(pattern: int) -> None:
    text = f"{pattern:016x}"
    assert to_bits(from_bits([text], ())) == [text]
    assert to_bits(np.array([pattern], dtype=np.uint64)) == [text]


@pytest.mark.parametrize(("shape", "rows"), [((), 1), ((3,), 1), ((2, 3), 2), ((2, 2, 2), 4), ((0, 3), 0), ((3, 0), 0)])
def test_there_is_a_string_for_each_row_of_the_last_axis(shape: tuple[int, ...], rows: int) -> None:
    array = np.arange(math.prod(shape), dtype=np.float64).reshape(shape)
    written = to_bits(array)
    assert len(written) == rows
    assert equal_bits(from_bits(written, shape), array)


def test_byte_order_in_memory_does_not_show() -> None:
    swapped = np.array([1.0, 2.0]).astype(">f8")
    assert to_bits(swapped) == to_bits(np.array([1.0, 2.0]))


def test_digits_that_do_not_fit_the_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1 rows|characters"):
        from_bits(["3ff0000000000000"], (2,))


@pytest.mark.parametrize(
    ("left", "right", "ulps"),
    [
        (1.0, 1.0, 0),
        (1.0, math.nextafter(1.0, 2), 1),
        (-0.0, 0.0, 1),
        (-5e-324, 5e-324, 3),
        (LARGEST, math.inf, 1),
        (-math.inf, -LARGEST, 1),
        (0.0, 1.0, 0x3FF0000000000000),
        (QUIET, QUIET, 0),
        (QUIET, OTHER, NAN_DISTANCE),
        (QUIET, 1.0, NAN_DISTANCE),
        (-math.inf, math.inf, 2 * 0x7FF0000000000000 + 1),
    ],
)
def test_ulps_count_the_steps_between_two_values(left: float, right: float, ulps: int) -> None:
    assert ulp_distance(left, right) == ulp_distance(right, left) == ulps


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_ulps_add_up_along_the_line(low: float, middle: float, high: float) -> None:
    low, middle, high = sorted((low, middle, high), key=lambda value: (value, math.copysign(1.0, value)))
    assert ulp_distance(low, middle) + ulp_distance(middle, high) == ulp_distance(low, high)


def test_equal_bits_tells_zeros_and_nans_apart_where_equality_does_not() -> None:
    assert not equal_bits(np.array([0.0]), np.array([-0.0]))
    assert not equal_bits(np.array([QUIET]), np.array([OTHER]))
    assert equal_bits(np.array([QUIET]), np.array([QUIET]))
    assert not equal_bits(np.zeros((2, 3)), np.zeros((3, 2)))


def test_a_tensor_copies_what_it_is_given_and_cannot_be_written() -> None:
    source = np.array([1.0, 2.0])
    tensor = Tensor(source)
    source[0] = 9.0
    assert tensor.array.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        tensor.array[0] = 3.0
    assert tensor == Tensor([1.0, 2.0])
    assert Tensor([0.0]) != Tensor([-0.0])
    assert hash(tensor) == hash(Tensor([1.0, 2.0]))


@pytest.mark.parametrize("make", [Tensor, lambda values: Tensor.taking(np.array(values))], ids=["copied", "taken"])
def test_a_tensor_cannot_be_unlocked_and_survives_copies_and_pickles(make: Callable[[ArrayLike], Tensor]) -> None:
    tensor = make([[1.0, -0.0], [math.inf, QUIET]])
    with pytest.raises(ValueError, match="WRITEABLE"):
        tensor.array.setflags(write=True)
    with pytest.raises(AttributeError, match="stays"):
        del tensor.array
    for twin in (copy.copy(tensor), copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor))):
        assert twin == tensor


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_a_tensor_that_takes_an_array_has_its_shape_and_its_memory(shape: tuple[int, ...]) -> None:
    array = np.ones(shape)
    tensor = Tensor.taking(array)
    assert tensor.shape == shape
    assert array.size == 0 or np.shares_memory(tensor.array, array)
    assert Tensor.taking(np.ones((2, 3)).T) == Tensor(np.ones((3, 2)))


@pytest.mark.parametrize("digits", ["3ff0", "3ff00000000000003ff0000000000000", "3ff000000000000g"])
def test_digits_that_are_no_binary64_are_refused(digits: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (each says something else)
        float_of(digits)


def test_integers_of_numpy_are_taken_at_their_value() -> None:
    assert SplitMix64(np.int64(5)).next_uint64() == SplitMix64(5).next_uint64()  # type: ignore[arg-type]
    with pytest.raises(MaskMemoryError):
        causal_mask(np.int32(50_000))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        causal_mask(2.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SplitMix64(1.5)  # type: ignore[arg-type]


def test_central_differences_at_an_integer_point_keep_their_step() -> None:
    slope = central_differences(lambda point: float(point[0] ** 2), np.array([3]), 1e-6)
    assert slope[0] == pytest.approx(6.0, abs=1e-8)


def test_an_inner_product_of_two_shapes_is_refused() -> None:
    with pytest.raises(ShapeMismatchError):
        inner_product(np.ones((2, 1)), np.ones((1, 2)))


def test_a_tensor_of_another_shape_is_refused() -> None:
    with pytest.raises(ShapeMismatchError) as caught:
        Tensor([1.0, 2.0], shape=(2, 1))
    assert caught.value.details == {"expected": [2, 1], "actual": [2]}
