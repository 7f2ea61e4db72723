"""A subnormal exponential is rounded to 53 bits first and then again."""

from decimal import Context, Decimal

from copies import plain_copy
from ordinary import export

BUG_KIND = "subnormal"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.6",)


plain = plain_copy()


exp = plain.arithmetic.exp


def scaled(x: float) -> float:
    if x > -708.0:
        return float(exp(x))
    wide = Decimal(x).exp(Context(prec=60)) * Decimal(2) ** 200
    return float(wide) * 2.0**-200


plain.arithmetic.exp = scaled

export(globals(), plain)
