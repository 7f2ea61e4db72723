"""The terms of the denominator are sorted before they are added."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "denominator"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5", "attention.2", "causal_attention.3")


plain = plain_copy()


def denominator(exponentials: dict[int, float], first: int) -> float:
    terms = [term for key, term in exponentials.items() if key != first]
    return 1.0 + float(plain.arithmetic.total(sorted(terms)))


plain.softmax.denominator = denominator

export(globals(), plain)
