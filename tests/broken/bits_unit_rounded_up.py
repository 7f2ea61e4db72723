"""The whole draw is rounded to 53 bits, so the low bits count."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "generator"
LEVEL = "bits"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.3", "xavier_uniform.4", "splitmix64.5")


plain = plain_copy()


def unit(word: int) -> float:
    return float(word) * 2.0**-64


plain.arithmetic.unit = unit

export(globals(), plain)
