"""A sum of four terms is taken in pairs."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("matrix_product.1",)


plain = plain_copy()


dot = plain.arithmetic.dot


def pairs(left: list[float], right: list[float]) -> float:
    if len(left) != 4:
        return float(dot(left, right))
    terms = [a * b for a, b in zip(left, right, strict=True)]
    return 0.0 + (terms[0] + terms[1]) + (terms[2] + terms[3])


plain.arithmetic.dot = pairs

export(globals(), plain)
