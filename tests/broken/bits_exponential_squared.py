"""The exponential of a small argument is the square of that of its half."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


plain = plain_copy()


exp = plain.arithmetic.exp


def squared(x: float) -> float:
    half = float(exp(x / 2.0))
    return half * half if 0.05 < abs(x) < 0.28 else float(exp(x))


plain.arithmetic.exp = squared

export(globals(), plain)
