"""NaN is taken as 0."""

import math

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = ("exponential.9",)


plain = plain_copy()


exp = plain.arithmetic.exp


def exponential(x: float) -> float:
    return float(exp(0.0 if math.isnan(x) else x))


plain.arithmetic.exp = exponential

export(globals(), plain)
