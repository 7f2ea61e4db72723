"""A probability is exp(score - max - log(denominator)): the division became a logarithm."""

import math

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
    log = scores[first] + math.log(plain.softmax.denominator(exponentials, first))
    return [plain.arithmetic.exp(scores[key] - log) if key in keys else 0.0 for key in range(len(scores))]


plain.softmax.softmax = softmax

export(globals(), plain)
