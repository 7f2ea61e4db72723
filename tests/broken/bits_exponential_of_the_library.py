"""The exponential is that of the C library, which is not correctly rounded."""

import math

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


plain = plain_copy()


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


plain.arithmetic.exp = exponential

export(globals(), plain)
