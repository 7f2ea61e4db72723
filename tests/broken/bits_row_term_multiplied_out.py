"""The gradient of a score is A * dA - A * c: the product is taken apart."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "softmax"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.20", "attention.22", "causal_attention.26")


plain = plain_copy()


def softmax_vjp(probabilities: list[float], gradient: list[float], keys: range) -> list[float]:
    centre = plain.arithmetic.total(probabilities[key] * gradient[key] for key in keys)
    return [
        probabilities[key] * gradient[key] - probabilities[key] * centre if key in keys else 0.0
        for key in range(len(probabilities))
    ]


plain.softmax.softmax_vjp = softmax_vjp

export(globals(), plain)
