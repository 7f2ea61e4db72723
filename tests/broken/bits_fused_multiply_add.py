"""A multiplication is fused with the addition after it and rounded once."""

from fractions import Fraction

from copies import plain_copy
from ordinary import export

BUG_KIND = "fused"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


plain = plain_copy()


def product(left: list[list[float]], right: list[list[float]], columns: int) -> list[list[float]]:
    return [[fused(row, [other[n] for other in right]) for n in range(columns)] for row in left]


def fused(left: list[float], right: list[float]) -> float:
    result = 0.0
    for a, b in zip(left, right, strict=True):
        result = float(Fraction(a) * Fraction(b) + Fraction(result))
    return result


plain.arithmetic.product = product

export(globals(), plain)
