"""Even and odd terms are added apart, as a vector unit does."""

from collections.abc import Iterable

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = (
    "matrix_product.1",
    "matrix_product.11",
    "matrix_product.12",
    "linear_projection.2",
    "linear_projection.6",
    "linear_projection.7",
    "qkv_projection.1",
    "qkv_projection.9",
    "qkv_projection.10",
    "scaled_scores.1",
    "scaled_scores.18",
    "scaled_scores.19",
    "attention.3",
    "attention.20",
    "attention.22",
    "causal_attention.4",
    "causal_attention.24",
    "causal_attention.26",
    "causal_softmax.5",
    "causal_softmax.19",
)


plain = plain_copy()


def total(terms: Iterable[float]) -> float:
    lanes = [0.0, 0.0]
    for place, term in enumerate(terms):
        lanes[place % 2] = lanes[place % 2] + term
    return lanes[0] + lanes[1]


plain.arithmetic.total = total

export(globals(), plain)
