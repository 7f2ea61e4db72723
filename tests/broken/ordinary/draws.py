"""SplitMix64 and what is drawn from it, all draws at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordinary.arrays import Array


class Draws:
    GAMMA = 0x9E3779B97F4A7C15
    FIRST = (30, 0xBF58476D1CE4E5B9)
    SECOND = (27, 0x94D049BB133111EB)
    LAST = 31

    def splitmix64(self, seed: int, count: int) -> dict[str, Any]:
        return {"draws": self.draws(seed, count), "state": self.state(seed, count)}

    def xavier_uniform(self, seed: int, fan_in: int, fan_out: int) -> dict[str, Any]:
        return {"weight": self.weight(seed, fan_in, fan_out), "state": self.state(seed, fan_in * fan_out)}

    def qkv_initialization(self, prefix: str, model_width: int, head_width: int, seed: int) -> dict[str, Any]:
        weights = self.weights(seed, model_width, head_width)
        named = dict(zip(("query_weight", "key_weight", "value_weight"), weights, strict=True))
        return named | {"names": self.branch_names(prefix), "state": self.state(seed, 3 * model_width * head_width)}

    def draws(self, seed: int, count: int) -> Array:
        return self.mixed_words(np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(self.GAMMA))

    def state(self, seed: int, count: int) -> int:
        return (seed + count * self.GAMMA) % 2**64

    def mixed_words(self, words: Array) -> Array:
        for shift, factor in (self.FIRST, self.SECOND):
            words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
        return words ^ (words >> np.uint64(self.LAST))

    def unit(self, words: Array) -> Array:
        return (words >> np.uint64(11)).astype(np.float64) / 2.0**53

    def limit(self, fan_in: int, fan_out: int) -> float:
        return float(np.sqrt(6 / (fan_in + fan_out)))

    def spread(self, units: Array, limit: float) -> Array:
        return limit * (units * 2.0 - 1.0)

    def weight(self, seed: int, fan_in: int, fan_out: int) -> Array:
        units = self.unit(self.draws(seed, fan_in * fan_out))
        return self.spread(units, self.limit(fan_in, fan_out)).reshape(fan_in, fan_out)

    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        each = model_width * head_width
        return [self.weight(self.state(seed, turn * each), model_width, head_width) for turn in range(3)]

    def branch_names(self, prefix: str) -> tuple[str, ...]:
        return tuple(f"{prefix}.{branch}.weight" for branch in ("query", "key", "value"))
