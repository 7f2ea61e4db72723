"""The exponential is rounded towards zero."""

import math
from decimal import Context, Decimal

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1", "exponential.2")


plain = plain_copy()


exp = plain.arithmetic.exp


def truncated(x: float) -> float:
    exact = Decimal(x).exp(Context(prec=60)) if -745.0 < x < 709.0 else None
    near = float(exp(x))
    return math.nextafter(near, 0.0) if exact is not None and Decimal(near) > exact else near


plain.arithmetic.exp = truncated

export(globals(), plain)
