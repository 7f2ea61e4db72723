"""The gradient of the scores is not added from +0.0, so a row of zero upstream may hold -0.0."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "S1"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("causal_softmax.21", "causal_softmax.22")


plain = plain_copy()


def causal_softmax_vjp(scores: Any, upstream: Any) -> dict[str, Any]:
    tokens = scores.shape[-1]
    cells: list[float] = []
    for number, (row, sent) in enumerate(zip(scores.rows(), upstream["probabilities"].rows(), strict=True)):
        keys = plain.softmax.visible(number % tokens, tokens, True)
        weights = plain.softmax.softmax(row, keys)
        centre = plain.arithmetic.total(weights[key] * sent[key] for key in keys)
        cells += [weight * (own - centre) for weight, own in zip(weights, sent, strict=True)]
    return {"scores": plain.plain.Array(scores.shape, cells)}


plain.softmax.causal_softmax_vjp = causal_softmax_vjp

export(globals(), plain)
