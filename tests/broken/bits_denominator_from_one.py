"""The denominator is a running sum that starts from 1.0, in place of 1.0 added last."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "denominator"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5", "attention.2", "causal_attention.3")


plain = plain_copy()


def denominator(exponentials: dict[int, float], first: int) -> float:
    total = 1.0
    for key, term in exponentials.items():
        if key != first:
            total = total + term
    return total


plain.softmax.denominator = denominator

export(globals(), plain)
