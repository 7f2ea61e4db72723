"""A sum of sixteen terms or more is unrolled into eight partial sums."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


plain = plain_copy()


dot = plain.arithmetic.dot


def unrolled(left: list[float], right: list[float]) -> float:
    if len(left) < 16:
        return float(dot(left, right))
    terms = [a * b for a, b in zip(left, right, strict=True)]
    return float(plain.arithmetic.total(plain.arithmetic.total(terms[lane::8]) for lane in range(8)))


plain.arithmetic.dot = unrolled

export(globals(), plain)
