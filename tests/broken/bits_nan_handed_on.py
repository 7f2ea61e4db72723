"""A NaN keeps its sign and payload."""

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
    return x if math.isnan(x) else float(exp(x))


plain.arithmetic.exp = exponential

export(globals(), plain)
