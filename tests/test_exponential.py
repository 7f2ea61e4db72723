"""The exponential: the fast form, the definition and MPFR agree in every bit, and the fast form's bound holds."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable
from typing import Any

import gmpy2
import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.numeric import careful_exponential as careful
from attnspec.numeric import exponential as module
from attnspec.numeric import powers_of_two as powers
from attnspec.numeric.binary64 import bits_of, equal_bits, float_of
from attnspec.numeric.exponential import ERROR_BOUND, exponential, exponential_definition

FloatArray = NDArray[np.float64]

BINARY64 = gmpy2.context(precision=53, emin=-1073, emax=1024, subnormalize=True)
PRECISE = gmpy2.context(precision=240)
LARGEST_FINITE, SMALLEST_POSITIVE = 709.782712893384, -745.1332191019411  # arguments whose results are the last ones
HARD = ["0x1.9e9cbbfd6080bp-31", "-0x1.ed318efb627eap-27", "0x1.83d4bcdebb3f4p+2", "0x1.accfbe46b4efp-1"]


def mpfr(values: FloatArray) -> FloatArray:
    """The third opinion."""
    return np.array([float(BINARY64.exp(gmpy2.mpfr(value))) for value in values.tolist()]).reshape(values.shape)


def neighbourhood(value: float, steps: int = 8) -> list[float]:
    """The value and the doubles next to it."""
    return [
        float(np.int64(np.float64(value).view(np.int64) + step).view(np.float64)) for step in range(-steps, steps + 1)
    ]


def near_ties(generator: np.random.Generator, count: int) -> list[float]:
    """Arguments nearest to the logarithm of a midpoint of two doubles around 1."""
    widths = generator.integers(1, 40, count).tolist()
    numerators = [2 * int(generator.integers(2 ** (52 - width), 2 ** (53 - width))) + 1 for width in widths]
    signs = generator.choice([-1, 1], count).tolist()
    one = PRECISE.mul(gmpy2.mpz(1) << 53, gmpy2.mpfr(1))
    return [
        float(PRECISE.log(PRECISE.div(PRECISE.add(one, sign * numerator), one)))
        for sign, numerator in zip(signs, numerators, strict=True)
    ]


def near_subnormal_ties(generator: np.random.Generator, count: int) -> list[float]:
    """Arguments nearest to the logarithm of a midpoint of two subnormal numbers."""
    halves = [2 * int(2.0**power) + 1 for power in generator.uniform(0.0, 51.0, count)]
    return [float(PRECISE.log(PRECISE.mul(half, gmpy2.mpfr("0x1p-1075", 53, 16)))) for half in halves]


def points(count: int, seed: int) -> FloatArray:
    """Arguments of every kind: anywhere, as softmax has them, tiny, near ties, with subnormal results, at the ends."""
    generator = np.random.default_rng(seed)
    part = count // 8
    special = [0.0, -0.0, 1.0, -1.0, 710.0, -746.0, -708.0, 709.0, *map(float.fromhex, HARD)]
    for value in (LARGEST_FINITE, SMALLEST_POSITIVE, -708.3964185322641, -708.0, 709.0, 2.0**-53, -(2.0**-54), 1.0):
        special += neighbourhood(value)
    tiny = generator.choice([-1.0, 1.0], part) * 2.0 ** -generator.integers(1, 1074, part).astype(np.float64)
    rest = [
        np.array(special),
        generator.uniform(-745.2, -708.0, part),
        tiny * generator.uniform(1.0, 2.0, part),
        np.array(near_ties(generator, part)),
        np.array(near_subnormal_ties(generator, part)),
        generator.uniform(-40.0, 0.0, 2 * part),
    ]
    return np.concatenate([*rest, generator.uniform(-760.0, 720.0, count - sum(map(len, rest)))])


def assert_correctly_rounded(values: FloatArray, with_definition: bool = True) -> None:
    fast, truth = exponential(values), mpfr(values)
    wrong = np.flatnonzero(fast.view(np.int64) != truth.view(np.int64))
    assert not wrong.size, f"{wrong.size} wrong, the first at {values[wrong[0]]!r}: {fast[wrong[0]]!r}"
    if not with_definition:
        return
    by_definition = np.array([exponential_definition(value) for value in values.tolist()])
    assert equal_bits(fast, by_definition)


# Values


@pytest.mark.clause("exponential.1", "exponential.5", "exponential.6", "exponential.7")
def test_fast_form_definition_and_mpfr_agree_on_twenty_thousand_points() -> None:
    assert_correctly_rounded(points(20_000, seed=1))


@pytest.mark.slow
@pytest.mark.clause("exponential.1", "exponential.5", "exponential.6", "exponential.7")
def test_fast_form_and_mpfr_agree_on_ten_million_points_and_the_definition_on_some() -> None:
    for seed in range(100):
        assert_correctly_rounded(points(100_000, seed=100 + seed), with_definition=seed % 20 == 0)


@pytest.mark.clause("exponential.4", "exponential.8", "exponential.9")
@pytest.mark.parametrize("exp", [exponential, exponential_definition])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ("0000000000000000", "3ff0000000000000"),
        ("8000000000000000", "3ff0000000000000"),
        ("7ff0000000000000", "7ff0000000000000"),
        ("fff0000000000000", "0000000000000000"),
        ("7ff8000000000000", "7ff8000000000000"),
        ("fff8000000000000", "7ff8000000000000"),
        ("7ff0000000000001", "7ff8000000000000"),
        ("ffffffffffffffff", "7ff8000000000000"),
        ("7fefffffffffffff", "7ff0000000000000"),
        ("ffefffffffffffff", "0000000000000000"),
    ],
)
def test_zeros_infinities_and_nans_have_fixed_results(exp: Callable[[float], float], x: str, y: str) -> None:
    assert bits_of(float(exp(float_of(x)))) == y


# Whatever the array and the surroundings


@pytest.mark.clause("exponential.2", "arithmetic.7")
def test_strides_order_and_byte_order_of_the_array_change_nothing() -> None:
    values = points(2_000, seed=2)
    expected = exponential(values)
    twice = np.repeat(values, 2)
    assert equal_bits(exponential(values[::-1]), expected[::-1].copy())
    assert equal_bits(exponential(twice[::2]), expected)
    assert equal_bits(exponential(values.astype(">f8")), expected)
    assert equal_bits(exponential(values[:1998].reshape(2, 999).T), expected[:1998].reshape(2, 999).T.copy())


@pytest.mark.clause("exponential.2")
@pytest.mark.parametrize("size", [1, module._BLOCK - 1, module._BLOCK, module._BLOCK + 1, 2 * module._BLOCK + 7])
def test_blocks_leave_no_trace(size: int) -> None:
    values = np.random.default_rng(3).uniform(-750.0, 711.0, size)
    singly = [float(exponential(value)) for value in values[-100:]]
    assert equal_bits(exponential(values)[-100:], np.array(singly))


@pytest.mark.clause("exponential.3")
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 3, 4)])
def test_the_result_has_the_shape_of_the_argument(shape: tuple[int, ...]) -> None:
    result = exponential(np.zeros(shape))
    assert equal_bits(result, np.ones(shape))


def test_the_argument_is_not_modified_and_the_result_is_its_own() -> None:
    values = points(2_000, seed=4)
    before = values.tobytes()
    values.setflags(write=False)
    result = exponential(values)
    assert values.tobytes() == before
    assert not np.shares_memory(result, values)
    assert result.flags.writeable


def test_no_floating_point_warning_escapes() -> None:
    with np.errstate(all="raise"):
        exponential(np.array([math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, -745.0, 709.9, -1e-300]))
        assert np.geterr()["over"] == "raise"


def test_the_callers_decimal_context_plays_no_part() -> None:
    values = [2.0**-53, float.fromhex(HARD[0]), -745.1332191019411, 709.782712893384, 5e-324]
    expected = mpfr(np.array(values))
    traps = list(decimal.Context().flags)
    with decimal.localcontext(decimal.Context(prec=3, rounding=decimal.ROUND_UP, Emin=-3, Emax=3, traps=traps)):
        assert equal_bits(np.array([exponential_definition(value) for value in values]), expected)


# The bounds of the fast form and of the careful one


def measured_error(form: Callable[[FloatArray], tuple[FloatArray, FloatArray, Any]], largest_octave: int) -> float:
    """The largest error of high + low met at five places of each of the table's parts, on the scale of high."""
    generator = np.random.default_rng(5)
    offsets = [-0.4999, -0.35, 0.02, 0.35, 0.4999]
    octave = generator.integers(-largest_octave, 1020, (len(offsets), powers.PARTS))
    parts = np.arange(powers.PARTS) + octave * powers.PARTS
    values = ((parts + np.array(offsets)[:, None]) * (math.log(2.0) / powers.PARTS)).reshape(-1)
    high, low, exponent = form(values)
    largest = gmpy2.mpfr(0)
    for x, h, rest, power in zip(values.tolist(), high.tolist(), low.tolist(), exponent.tolist(), strict=True):
        signed = (power + 2048) % 4096 - 2048  # of the fast form only 12 bits count
        exact = PRECISE.mul(PRECISE.exp(gmpy2.mpfr(x)), gmpy2.mpfr(2.0) ** -signed)
        largest = max(largest, abs(PRECISE.sub(PRECISE.sub(exact, h), rest)))
    return float(largest)


def error_of_the_fast_form() -> float:
    return measured_error(module._approximation, 1020)


def error_of_the_careful_form() -> float:
    return measured_error(careful.approximation, 1075)


def test_the_error_stays_within_its_proved_bound_in_every_part() -> None:
    error = error_of_the_fast_form()
    assert error < ERROR_BOUND
    assert error > ERROR_BOUND / 4.0, "a bound so far from what is met was not derived for this code"


def test_the_error_of_the_careful_form_stays_within_its_proved_bound_in_every_part() -> None:
    error = error_of_the_careful_form()
    assert error < careful.CAREFUL_BOUND
    assert error > careful.CAREFUL_BOUND / 32.0, "a bound so far from what is met was not derived for this code"


def test_the_table_holds_its_powers_to_a_hundred_and_four_bits() -> None:
    high, low = powers.powers_of_two()
    step = PRECISE.div(PRECISE.log(gmpy2.mpfr(2)), powers.PARTS)
    for j, (h, rest) in enumerate(zip(high.tolist(), low.tolist(), strict=True)):
        exact = PRECISE.exp(PRECISE.mul(step, j))
        assert h == float(exact)
        assert abs(PRECISE.sub(PRECISE.sub(exact, h), rest)) < 2.0**-105


def test_the_first_step_of_the_reduction_is_exact() -> None:
    values = points(4_000, seed=6)
    for x in values[(values >= -708.0) & (values <= 709.0)].tolist():
        n = float(np.rint(x * powers.PER_PART))
        exact = PRECISE.sub(gmpy2.mpfr(x), PRECISE.mul(gmpy2.mpfr(n), powers.HEAD))
        assert exact == x - n * powers.HEAD


def test_few_points_are_left_to_the_careful_form_and_fewer_to_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    defined: list[float] = []

    def by_pairs(x: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        asked.append(x.size)
        return careful.careful_exponential(x)

    monkeypatch.setattr(module, "careful_exponential", by_pairs)
    monkeypatch.setattr(module, "exponential_definition", defined.append)
    exponential(np.random.default_rng(7).uniform(-700.0, 700.0, 100_000))
    assert 0 < sum(asked) < 100
    exponential(np.random.default_rng(7).uniform(-745.0, -709.0, 10_000))
    assert sum(asked) > 10_000
    assert not defined


def test_the_careful_form_leaves_a_tie_that_it_cannot_see_through_to_the_definition() -> None:
    hard = np.array([0.0, float.fromhex("-0x1p-60"), 2.0**-53])  # exp(x) is a tie but for less than its bound
    _, decided = careful.careful_exponential(hard)
    assert decided.tolist() == [True, True, False]


# Broken twins: what the comparisons above catch


def test_a_series_without_its_last_term_is_caught_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TWENTY_FOURTH", 0.0)
    assert error_of_the_fast_form() > ERROR_BOUND
    with pytest.raises(AssertionError, match="wrong"):
        assert_correctly_rounded(points(20_000, seed=1))


def test_a_table_entry_one_ulp_off_is_caught_by_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    high, low = (table.copy() for table in powers.powers_of_two())
    high[5000] = np.nextafter(high[5000], 2.0)
    monkeypatch.setattr(module, "powers_of_two", lambda: (high, low))
    assert error_of_the_fast_form() > ERROR_BOUND


def test_a_bound_that_nothing_proves_is_caught_by_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """The results it certifies may all be right on sampled points; the error it claims is not."""
    monkeypatch.setattr(module, "ERROR_BOUND", 2.0**-67)
    assert error_of_the_fast_form() > module.ERROR_BOUND


def test_a_definition_without_ziv_s_test_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def sixteen_digits(x: float) -> float:
        return float(decimal.Context(prec=16).exp(decimal.Decimal.from_float(x)))

    monkeypatch.setattr(module, "exponential_definition", sixteen_digits)
    with pytest.raises(AssertionError, match="wrong"):
        assert_correctly_rounded(points(2_000, seed=8))


def test_a_careful_form_that_forgets_a_low_part_is_caught_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(careful, "REST", 0.0)
    assert error_of_the_careful_form() > careful.CAREFUL_BOUND
    monkeypatch.undo()
    monkeypatch.setattr(careful, "_product", lambda one, other: (one * other, np.zeros(one.shape)))
    assert error_of_the_careful_form() > careful.CAREFUL_BOUND
    with pytest.raises(AssertionError, match="wrong"):
        assert_correctly_rounded(points(20_000, seed=1))


def test_a_subnormal_result_rounded_twice_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(high: FloatArray, low: FloatArray, exponent: NDArray[np.int32]) -> tuple[FloatArray, NDArray[np.bool_]]:
        return np.ldexp(high + low, exponent), np.ones(high.shape, dtype=np.bool_)

    monkeypatch.setattr(careful, "_subnormal", twice)
    with pytest.raises(AssertionError, match="wrong"):
        assert_correctly_rounded(points(20_000, seed=1))
