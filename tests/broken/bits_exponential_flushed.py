"""Subnormal exponentials are flushed to zero."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "subnormal"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.6", "causal_softmax.7")


plain = plain_copy()


exp = plain.arithmetic.exp


def flushed(x: float) -> float:
    near = float(exp(x))
    return near if near >= 2.0**-1022 else 0.0


plain.arithmetic.exp = flushed

export(globals(), plain)
