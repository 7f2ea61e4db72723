"""The row term is summed from the last key to the first."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.19", "attention.22", "causal_attention.26")


plain = plain_copy()


def softmax_vjp(probabilities: list[float], gradient: list[float], keys: range) -> list[float]:
    return list(right(probabilities, gradient, keys[::-1]))


right = plain.softmax.softmax_vjp


plain.softmax.softmax_vjp = softmax_vjp

export(globals(), plain)
