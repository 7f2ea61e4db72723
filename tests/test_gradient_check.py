"""Central differences, and the comparison of gradients."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.errors import InvalidStepError, InvalidToleranceError, NonFiniteLeafError, ShapeMismatchError
from attnspec.numeric.binary64 import equal_bits
from attnspec.numeric.gradient_check import central_differences, check_gradient, scaled_difference

FloatArray = NDArray[np.float64]
BINARY64 = gmpy2.context(precision=53, emin=-1073, emax=1024, subnormalize=True)


def array(*values: float) -> FloatArray:
    return np.array(values)


def product_of_powers(point: FloatArray) -> float:
    """x0 * x1**2 * x2**3 ..., whose gradient is known."""
    result = 1.0
    for exponent, value in enumerate(point.reshape(-1).tolist(), start=1):
        for _ in range(exponent):
            result = result * value
    return result


def gradient_of_product(point: FloatArray) -> FloatArray:
    flat = point.reshape(-1)
    slopes = [exponent * product_of_powers(point) / value for exponent, value in enumerate(flat.tolist(), start=1)]
    return np.array(slopes).reshape(point.shape)


# Comparison


@pytest.mark.clause("gradient_check.1")
def test_scaled_differences_are_rounded_as_the_formula_says() -> None:
    generator = np.random.default_rng(0)
    pairs = generator.uniform(-1.0, 1.0, (500, 2)) * 10.0 ** generator.integers(-8, 9, (500, 2))
    expected = []
    for a, n in pairs.tolist():
        s = gmpy2.mpfr(max(1.0, abs(a), abs(n)))
        expected.append(float(abs(BINARY64.sub(BINARY64.div(a, s), BINARY64.div(n, s)))))
    assert equal_bits(scaled_difference(pairs[:, 0], pairs[:, 1]), np.array(expected))
    subtracted_first = np.abs(pairs[:, 0] - pairs[:, 1]) / np.maximum(1.0, np.abs(pairs).max(axis=1))
    assert not equal_bits(subtracted_first, np.array(expected))  # the broken twin


@pytest.mark.clause("gradient_check.2")
@pytest.mark.parametrize(("tolerance", "within"), [(0.25, True), (math.nextafter(0.25, 0.0), False)])
def test_the_tolerance_itself_is_within(tolerance: float, within: bool) -> None:
    difference, verdict = check_gradient(array(3.0, 0.5), array(4.0, 0.25), tolerance)
    assert equal_bits(difference, array(0.25, 0.25))
    assert verdict is within


@pytest.mark.clause("gradient_check.3")
@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_every_shape_is_kept(shape: tuple[int, ...]) -> None:
    difference, within = check_gradient(np.ones(shape), np.ones(shape), 0.0)
    assert equal_bits(difference, np.zeros(shape))
    assert within is True


@pytest.mark.clause("gradient_check.4", "gradient_check.5", "gradient_check.6")
def test_faults_are_met_in_order_with_their_data() -> None:
    bad = array(1.0, math.inf)
    with pytest.raises(ShapeMismatchError) as shapes:
        check_gradient(bad, array(math.nan), -1.0)
    assert shapes.value.details == {"expected": [2], "actual": [1]}
    with pytest.raises(NonFiniteLeafError) as first:
        check_gradient(bad, array(math.nan, 1.0), -1.0)
    assert first.value.details == {"tensor": "analytic", "index": 1, "value": math.inf}
    with pytest.raises(NonFiniteLeafError) as second:
        check_gradient(array(1.0, 2.0), array(-math.inf, 1.0), -1.0)
    assert second.value.details == {"tensor": "numeric", "index": 0, "value": -math.inf}
    for tolerance in (-1.0, -5e-324, math.inf, math.nan):
        with pytest.raises(InvalidToleranceError):
            check_gradient(array(1.0), array(1.0), tolerance)


@pytest.mark.clause("gradient_check.1")
def test_the_largest_gradients_of_opposite_signs_do_not_overflow() -> None:
    largest = array(1.7976931348623157e308)
    with np.errstate(all="raise"):
        assert equal_bits(scaled_difference(largest, -largest), array(2.0))


# Central differences


@pytest.mark.clause("gradient_check.7")
@pytest.mark.parametrize("shape", [(4,), (2, 2), (1, 3, 1), ()])
def test_central_differences_agree_with_the_gradient(shape: tuple[int, ...]) -> None:
    point = np.random.default_rng(1).uniform(0.5, 1.5, shape)
    numeric = central_differences(product_of_powers, point, 1e-6)
    assert check_gradient(gradient_of_product(point), numeric, 2e-9)[1]


@pytest.mark.clause("gradient_check.7")
def test_the_quotient_is_exact_where_all_its_parts_are() -> None:
    point = array(3.0, -2.0)
    numeric = central_differences(lambda x: float(x[0] * x[0] * x[1]), point, 0.5)
    assert equal_bits(numeric, array(-12.0, 9.0))  # ((3.5**2 - 2.5**2) * -2) / 1 and 9 * 1 / 1


@pytest.mark.clause("gradient_check.7")
def test_coordinates_take_their_turns_in_row_major_order() -> None:
    seen: list[list[list[float]]] = []

    def remember(x: FloatArray) -> float:
        seen.append(x.tolist())
        return 0.0

    central_differences(remember, np.zeros((1, 2)), 0.5)
    assert seen == [[[0.5, 0.0]], [[-0.5, 0.0]], [[0.0, 0.5]], [[0.0, -0.5]]]


def test_the_point_stays_even_if_the_function_writes_into_its_argument() -> None:
    def careless(x: FloatArray) -> float:
        result = product_of_powers(x)
        x[...] = 0.0
        return result

    point = array(1.5, 2.5)
    point.setflags(write=False)
    assert equal_bits(central_differences(careless, point, 1e-3), central_differences(product_of_powers, point, 1e-3))
    assert equal_bits(point, array(1.5, 2.5))


@pytest.mark.clause("gradient_check.8")
@pytest.mark.parametrize("step", [0.0, -1e-6, math.inf, math.nan])
def test_a_step_that_is_not_finite_and_positive_is_refused(step: float) -> None:
    with pytest.raises(InvalidStepError):
        central_differences(product_of_powers, array(1.0), step)


def test_a_wrong_gradient_is_caught() -> None:
    """Broken twins: a coordinate forgotten, a factor of two, a transpose."""
    point = np.random.default_rng(2).uniform(0.5, 1.5, (2, 2))
    numeric = central_differences(product_of_powers, point, 1e-6)
    right = gradient_of_product(point)
    forgotten = right.copy()
    forgotten[1, 1] = 0.0
    for wrong in (forgotten, 2.0 * right, right.T.copy()):
        assert not check_gradient(wrong, numeric, 2e-6)[1]
    assert check_gradient(right, numeric, 2e-6)[1]
