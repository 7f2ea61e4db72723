"""A sum starts from its first term in place of +0.0, so it may be -0.0 (iree-org/iree#24175)."""

from collections.abc import Iterable

from copies import plain_copy
from ordinary import export

BUG_KIND = "S1"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = (
    "matrix_product.4",
    "matrix_product.11",
    "matrix_product.12",
    "linear_projection.2",
    "linear_projection.6",
    "linear_projection.7",
    "attention.3",
    "attention.20",
    "causal_attention.4",
    "causal_attention.24",
    "scaled_scores.1",
    "scaled_scores.18",
    "scaled_scores.19",
    "qkv_projection.9",
    "qkv_projection.10",
)


plain = plain_copy()


def total(terms: Iterable[float]) -> float:
    result = None
    for term in terms:
        result = term if result is None else result + term
    return 0.0 if result is None else result


plain.arithmetic.total = total

export(globals(), plain)
