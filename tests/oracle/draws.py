"""What is counted and named, in Python's integers; the weights in balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from oracle.balls import Balls, Enclosed

MODULUS = 1 << 64


def word(seed: int, number: int) -> int:
    """Draw `number` (from 1) of a seed, without the draws before it: SplitMix64 counts, then mixes."""
    mixed = (seed + number * 0x9E3779B97F4A7C15) % MODULUS
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        mixed = (mixed ^ (mixed >> shift)) * factor % MODULUS
    return mixed


def state_after(seed: int, draws: int) -> int:
    return (seed + draws * 0x9E3779B97F4A7C15) % MODULUS


def splitmix64(seed: int, count: int) -> dict[str, Enclosed]:
    return {
        "draws": Balls((count,), [arb(word(seed, number)) for number in range(1, count + 1)]),
        "state": state_after(seed, count),
    }


def weight(seed: int, fan_in: int, fan_out: int) -> Balls:
    """limit * (2u - 1) with u the high 53 bits of a draw over 2^53."""
    limit = (arb(6) / arb(fan_in + fan_out)).sqrt()
    draws = (word(seed, number) for number in range(1, fan_in * fan_out + 1))
    return Balls((fan_in, fan_out), [limit * (arb(draw // 2**11) / 2**52 - 1) for draw in draws])


def xavier_uniform(seed: int, fan_in: int, fan_out: int) -> dict[str, Enclosed]:
    return {"weight": weight(seed, fan_in, fan_out), "state": state_after(seed, fan_in * fan_out)}


def parameter_names(names: tuple[str, ...]) -> dict[str, Enclosed]:
    return {"names": tuple(names)}


def qkv_parameters(
    names: tuple[str, ...], query_weight: Balls, key_weight: Balls, value_weight: Balls
) -> dict[str, Enclosed]:
    model_width, head_width = value_weight.shape
    count = 3 * model_width * head_width
    return {"names": tuple(names), "count": count, "model_width": model_width, "head_width": head_width}


def qkv_initialization(prefix: str, model_width: int, head_width: int, seed: int) -> dict[str, Enclosed]:
    size = model_width * head_width
    outputs: dict[str, Enclosed] = {
        f"{branch}_weight": weight(state_after(seed, place * size), model_width, head_width)
        for place, branch in enumerate(("query", "key", "value"))
    }
    names = tuple(".".join((prefix, branch, "weight")) for branch in ("query", "key", "value"))
    return outputs | {"names": names, "state": state_after(seed, 3 * size)}


def gradient_check(analytic: Any, numeric: Any, tolerance: Any) -> dict[str, Enclosed]:
    """|a/s - n/s| with s = max(1, |a|, |n|); the verdict is decided on rational numbers."""
    balls, within = [], True
    for a, n in zip(map(Fraction, analytic.ravel().tolist()), map(Fraction, numeric.ravel().tolist()), strict=True):
        size = max(Fraction(1), abs(a), abs(n))
        balls.append(abs(_ball(a / size) - _ball(n / size)))
        within = within and abs(a - n) / size <= Fraction(tolerance.item())
    return {"scaled_difference": Balls(tuple(analytic.shape), balls), "within": within}


def _ball(number: Fraction) -> arb:
    return arb(number.numerator) / arb(number.denominator)
