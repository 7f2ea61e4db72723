"""The exponential is taken to 33 digits and then rounded, which is not enough for the hardest argument."""

from decimal import Context, Decimal

from copies import plain_copy
from ordinary import export

BUG_KIND = "exp"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


plain = plain_copy()


exp = plain.arithmetic.exp


def short(x: float) -> float:
    return float(Decimal(x).exp(Context(prec=33))) if -745.0 < x < 709.0 else float(exp(x))


plain.arithmetic.exp = short

export(globals(), plain)
