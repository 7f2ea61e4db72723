"""A blocked probability is -0.0."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "S1"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.2",)


plain = plain_copy()


def softmax(scores: list[float], keys: range) -> list[float]:
    return [weight if key in keys else -0.0 for key, weight in enumerate(right(scores, keys))]


right = plain.softmax.softmax


plain.softmax.softmax = softmax

export(globals(), plain)
