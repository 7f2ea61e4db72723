"""Of tied maxima the last one is left out of the sum, so the terms come in another order."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "denominator"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.5",)


plain = plain_copy()


def last_maximum(scores: list[float], keys: range) -> int:
    return max(keys, key=lambda key: (scores[key], key))


plain.softmax.first_maximum = last_maximum

export(globals(), plain)
