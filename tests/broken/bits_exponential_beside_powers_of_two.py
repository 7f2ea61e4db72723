"""A remainder below 0 is taken as 0, so the results beside powers of two fall on them."""

import math

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


plain = plain_copy()


exp = plain.arithmetic.exp


def reduced(x: float) -> float:
    if abs(x) > 700.0:
        return float(exp(x))
    whole = math.floor(x / math.log(2.0) + 1e-12)
    remainder = x - whole * math.log(2.0)
    return 2.0**whole if whole and -1e-12 < remainder <= 0.0 else float(exp(x))


plain.arithmetic.exp = reduced

export(globals(), plain)
