"""The exponential of a whole number is a power of e, by repeated multiplication."""

import math

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


plain = plain_copy()


exp = plain.arithmetic.exp


def powers(x: float) -> float:
    if x != int(x) or not 1.0 < abs(x) < 30.0:
        return float(exp(x))
    power = math.prod([math.e] * int(abs(x)))
    return power if x > 0.0 else 1.0 / power


plain.arithmetic.exp = powers

export(globals(), plain)
