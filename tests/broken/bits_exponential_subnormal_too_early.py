"""The path for subnormal results begins one binade early and drops a bit there."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "subnormal"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("exponential.1", "exponential.6")


plain = plain_copy()


exp = plain.arithmetic.exp


def early(x: float) -> float:
    near = float(exp(x))
    return 2.0 * (near / 2.0) if 2.0**-1022 < near < 2.0**-1021 else near


plain.arithmetic.exp = early

export(globals(), plain)
