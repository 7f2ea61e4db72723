"""Does this process compute as IEEE 754 says? Asked before the first case, of values made at run time (arithmetic)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnspec.numeric.binary64 import bits_of, float_of


class MachineError(Exception):
    """This process does not round as IEEE 754 asks, so nothing that it computes could be judged."""


@dataclass(frozen=True)
class Arithmetic:
    """Operations on binary64 numbers, and whose they are; `multiply_add(a, b, c)` owes two roundings."""

    name: str
    multiply: Callable[[float, float], float]
    add: Callable[[float, float], float]
    multiply_add: Callable[[float, float, float], float]


def check_machine() -> None:
    """Check the arithmetic of plain Python and of NumPy in this thread; it takes 0.1 ms.

    Raises:
        MachineError: subnormal numbers are flushed, or a result is not rounded once, to nearest even.

    Source:
        arithmetic.20, arithmetic.21
    """
    check_arithmetic(Arithmetic("Python", operator.mul, operator.add, _multiply_add))
    check_arithmetic(Arithmetic("NumPy", _in_lanes(np.multiply), _in_lanes(np.add), _in_lanes(_multiply_add)))


def check_arithmetic(arithmetic: Arithmetic) -> None:
    """Try these operations where each known fault shows, subnormal numbers first.

    Raises:
        MachineError: the first fault met, in one line.

    Source:
        arithmetic.20, arithmetic.21
    """
    name, multiply, add = arithmetic.name, arithmetic.multiply, arithmetic.add
    one, half = float("1"), float("0.5")  # made at run time: an expression of constants would be folded
    smallest, smallest_normal = float_of("0000000000000001"), float_of("0010000000000000")
    if bits_of(multiply(smallest, one)) != "0000000000000001" or bits_of(add(smallest, smallest)) != "0000000000000002":
        raise MachineError(f"{name} takes subnormal numbers for zero; {_FLUSHING}")
    if bits_of(multiply(smallest_normal, half)) != "0008000000000000":
        raise MachineError(f"{name} flushes subnormal results to zero; {_FLUSHING}")

    large, below_three, above_three = float("1e16"), float("2.9999"), float("3.0001")  # doubles near 1e16 lie 2 apart
    if add(large, below_three) != 1e16 + 2.0:  # in extended precision it becomes 3 first, then 4
        raise MachineError(f"{name} uses extended precision or rounds upwards; {_ROUNDING}")
    if add(large, above_three) != 1e16 + 4.0 or add(large, one) != 1e16:
        raise MachineError(f"{name} does not round to nearest even; {_ROUNDING}")

    factor = add(one, float_of("3e40000000000000"))  # 1 + 2**-27; its square loses 2**-54 when it is rounded
    if arithmetic.multiply_add(factor, factor, -multiply(factor, factor)) != 0.0:
        raise MachineError(f"{name} fuses a multiplication with an addition; {_ROUNDING}")


_FLUSHING = "find what switched that on (-ffast-math, set_flush_denormal, a processor mode) and leave it out"
_ROUNDING = "every operation must round once, to nearest even, in binary64"
_LANES = 9  # more than a vector register holds, with a remainder


def _multiply_add(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def _in_lanes(operation: Callable[..., Any]) -> Callable[..., float]:
    """Do the operation on arrays; NaN where the lanes disagree."""

    def result(*operands: float) -> float:
        lanes = operation(*(np.full(_LANES, operand) for operand in operands))
        return float(lanes[0]) if len({bits_of(lane) for lane in lanes}) == 1 else float("nan")

    return result
