"""The scale is multiplied into the query, before the dot products."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "scale"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("attention.1", "causal_attention.1")


plain = plain_copy()


def head(query: Any, key: Any, value: Any, scale: float, causal: bool) -> Any:
    kept = right(query, key, value, scale, causal)
    scaled = plain.arithmetic.product_with_transpose([[cell * scale for cell in row] for row in query], key)
    weights = [
        plain.softmax.softmax(row, plain.softmax.visible(number, len(row), causal)) for number, row in enumerate(scaled)
    ]
    output = plain.arithmetic.product(weights, value, len(value[0]))
    return plain.heads.Head(kept.raw_scores, scaled, weights, output)


right = plain.heads.head


plain.heads.head = head

export(globals(), plain)
