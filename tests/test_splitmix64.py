"""SplitMix64: the vectorised draws are those of the generator, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.numeric.binary64 import equal_bits
from attnspec.numeric.splitmix64 import SplitMix64, draws, units

INCREMENT = 0x9E3779B97F4A7C15
PUBLISHED = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]  # from state 0
SEEDS = [0, 1, 26, 2**63, 2**64 - INCREMENT, 2**64 - 1]


def same_as_the_loop(vectorised: Callable[[int, int], NDArray[np.uint64]], seed: int) -> bool:
    generator = SplitMix64(seed)
    one_by_one = [generator.next_uint64() for _ in range(300)]
    return equal_bits(vectorised(seed, 300), np.array(one_by_one, dtype=np.uint64))


@pytest.mark.clause("splitmix64.1", "splitmix64.2")
def test_state_zero_draws_the_published_sequence() -> None:
    generator = SplitMix64(0)
    assert [generator.next_uint64() for _ in range(4)] == PUBLISHED
    assert generator.state == 4 * INCREMENT % 2**64


@pytest.mark.clause("splitmix64.3")
@pytest.mark.parametrize("seed", SEEDS)
def test_vectorised_draws_equal_the_loop(seed: int) -> None:
    assert same_as_the_loop(draws, seed)


@pytest.mark.clause("splitmix64.5")
@pytest.mark.parametrize("seed", SEEDS)
def test_vectorised_units_equal_the_loop(seed: int) -> None:
    generator = SplitMix64(seed)
    assert equal_bits(units(seed, 300), np.array([generator.unit() for _ in range(300)]))


@pytest.mark.clause("splitmix64.5")
def test_a_unit_value_is_the_high_53_bits_exactly() -> None:
    generator = SplitMix64(0)
    assert [generator.unit() * 2.0**53 for _ in range(4)] == [draw >> 11 for draw in PUBLISHED]
    assert 0.0 <= units(7, 100_000).min() < 1e-4
    assert 1.0 - 1e-4 < units(7, 100_000).max() < 1.0


@pytest.mark.clause("splitmix64.4")
def test_no_draws_have_a_type_and_leave_the_state() -> None:
    assert equal_bits(draws(26, 0), np.array([], dtype=np.uint64))
    assert equal_bits(units(26, 0), np.array([]))
    assert SplitMix64(26).state == 26


def test_a_copy_goes_its_own_way() -> None:
    generator = SplitMix64(26)
    generator.next_uint64()
    copy = generator.copy()
    assert copy == generator
    first = copy.next_uint64()
    assert copy != generator
    assert generator.next_uint64() == first


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_beyond_64_bits_is_no_state(seed: int) -> None:
    for make in (SplitMix64, lambda value: draws(value, 1), lambda value: units(value, 1)):
        with pytest.raises(ValueError, match=r"the seed is -?[0-9]+; it must be"):
            make(seed)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="the count is -1"):
        draws(0, -1)


# Broken twins


def mixed_with_signed_shifts(seed: int, count: int) -> NDArray[np.uint64]:
    z = (np.arange(1, count + 1, dtype=np.uint64) * np.uint64(INCREMENT) + np.uint64(seed)).view(np.int64)
    z = (z ^ (z >> 30)) * np.uint64(0xBF58476D1CE4E5B9).view(np.int64)
    z = (z ^ (z >> 27)) * np.uint64(0x94D049BB133111EB).view(np.int64)
    return (z ^ (z >> 31)).view(np.uint64)


def drawn_before_the_increment(seed: int, count: int) -> NDArray[np.uint64]:
    return draws((seed - INCREMENT) % 2**64, count)


@pytest.mark.parametrize("twin", [mixed_with_signed_shifts, drawn_before_the_increment])
def test_the_comparison_catches_a_broken_generator(twin: Callable[[int, int], NDArray[np.uint64]]) -> None:
    assert not any(same_as_the_loop(twin, seed) for seed in SEEDS)
