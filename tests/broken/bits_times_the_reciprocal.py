"""Exponentials are multiplied by the reciprocal of the denominator."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "division"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.6", "attention.2", "causal_attention.3")


plain = plain_copy()


def softmax(scores: list[float], keys: range) -> list[float]:
    first = plain.softmax.first_maximum(scores, keys)
    exponentials = {key: plain.arithmetic.exp(scores[key] - scores[first]) for key in keys}
    share = 1.0 / plain.softmax.denominator(exponentials, first)
    return [exponentials[key] * share if key in exponentials else 0.0 for key in range(len(scores))]


plain.softmax.softmax = softmax

export(globals(), plain)
