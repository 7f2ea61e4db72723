"""The argument is reduced by whole multiples of ln 2, and inf - inf is NaN."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = ("exponential.8",)


plain = plain_copy()


exp = plain.arithmetic.exp


def exponential(x: float) -> float:
    return float(exp(x + 0.0 * (x - x)))


plain.arithmetic.exp = exponential

export(globals(), plain)
