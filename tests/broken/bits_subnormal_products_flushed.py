"""Products below the normal range are flushed to zero."""

from copies import plain_copy
from ordinary import export

BUG_KIND = "subnormal"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = (
    "matrix_product.1",
    "linear_projection.1",
    "linear_projection.2",
    "qkv_projection.1",
    "qkv_projection.9",
    "scaled_scores.1",
)


plain = plain_copy()


def dot(left: list[float], right: list[float]) -> float:
    return float(plain.arithmetic.total(flushed(a * b) for a, b in zip(left, right, strict=True)))


def flushed(term: float) -> float:
    return term if abs(term) >= 2.0**-1022 else 0.0


plain.arithmetic.dot = dot

export(globals(), plain)
