"""SplitMix64, the generator behind initial weights and inputs by formula (splitmix64)."""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MODULUS = 2**64
_INCREMENT = 0x9E3779B97F4A7C15
_FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
_SECOND_MULTIPLIER = 0x94D049BB133111EB


@dataclass
class SplitMix64:
    """A generator; its whole memory is `state`, an unsigned 64-bit integer, which a seed sets.

    Raises:
        ValueError: the state is not in [0, 2**64).

    Source:
        splitmix64.1, splitmix64.2, splitmix64.5
    """

    state: int

    def __post_init__(self) -> None:
        self.state = _seed(self.state)

    def next_uint64(self) -> int:
        """Advance the state once and return the draw made of it."""
        self.state = (self.state + _INCREMENT) % _MODULUS
        z = self.state
        z = (z ^ (z >> 30)) * _FIRST_MULTIPLIER % _MODULUS
        z = (z ^ (z >> 27)) * _SECOND_MULTIPLIER % _MODULUS
        return z ^ (z >> 31)

    def unit(self) -> float:
        """Return the high 53 bits of the next draw times 2**-53: exact, in [0, 1)."""
        return (self.next_uint64() >> 11) * 2.0**-53

    def copy(self) -> SplitMix64:
        """Return an independent generator in the same state."""
        return SplitMix64(self.state)


def draws(seed: int, count: int) -> NDArray[np.uint64]:
    """Return the first draws of `SplitMix64(seed)`, all at once.

    Raises:
        ValueError: the seed is not in [0, 2**64), or the count is negative.

    Source:
        splitmix64.1 to splitmix64.4
    """
    seed, count = _seed(seed), operator.index(count)
    if count < 0:
        raise ValueError(f"the count is {count}; it must not be negative")
    steps = np.arange(1, count + 1, dtype=np.uint64)
    z = steps * np.uint64(_INCREMENT) + np.uint64(seed)  # the states; uint64 arrays wrap round as the rule asks
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_FIRST_MULTIPLIER)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_SECOND_MULTIPLIER)
    return z ^ (z >> np.uint64(31))


def units(seed: int, count: int) -> NDArray[np.float64]:
    """Return the first unit values of `SplitMix64(seed)`, all at once, each in [0, 1).

    Raises:
        ValueError: as `draws`.

    Source:
        splitmix64.5
    """
    return (draws(seed, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _seed(seed: int) -> int:
    seed = operator.index(seed)  # NumPy's integers would wrap or overflow
    if not 0 <= seed < _MODULUS:
        raise ValueError(f"the seed is {seed}; it must be an unsigned 64-bit integer")
    return seed
