"""The denominator adds up all keys in their order, the maximum among them."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "denominator"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5", "attention.2", "causal_attention.3")


plain = plain_copy()


def denominator(exponentials: dict[int, float], first: int) -> float:
    return float(plain.arithmetic.total(exponentials.values()))


plain.softmax.denominator = denominator

export(globals(), plain)
