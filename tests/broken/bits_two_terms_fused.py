"""A product of two terms is fused: a * b is kept whole until c * d is added."""

from fractions import Fraction

from copies import plain_copy
from ordinary import export

BUG_KIND = "fused"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


plain = plain_copy()


dot = plain.arithmetic.dot


def fused(left: list[float], right: list[float]) -> float:
    if len(left) != 2:
        return float(dot(left, right))
    first = 0.0 + left[0] * right[0]
    return float(Fraction(left[1]) * Fraction(right[1]) + Fraction(first))


plain.arithmetic.dot = fused

export(globals(), plain)
