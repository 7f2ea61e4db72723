"""Half a step is added to the unit value, to keep away from 0."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "generator"
LEVEL = "bits"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.3", "xavier_uniform.4", "splitmix64.5")


plain = plain_copy()


def unit(word: int) -> float:
    return (float(word >> 11) + 0.5) * 2.0**-53


plain.arithmetic.unit = unit

export(globals(), plain)
