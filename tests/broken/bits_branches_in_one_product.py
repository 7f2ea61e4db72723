"""The gradient of the input is one running sum over the features of all three branches."""

from itertools import chain
from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("qkv_projection.9",)


plain = plain_copy()


def qkv_projection_vjp(input: Any, query_weight: Any, key_weight: Any, value_weight: Any, upstream: Any) -> Any:
    found = right(input, query_weight, key_weight, value_weight, upstream)
    weights = {"query": query_weight, "key": key_weight, "value": value_weight}
    sent = [
        plain.projections.started(upstream, name, (*input.shape[:-1], weight.shape[1])).rows()
        for name, weight in weights.items()
    ]
    joined = [list(chain(*rows)) for rows in zip(*sent, strict=True)]
    wide = [list(chain(*rows)) for rows in zip(*(weight.rows() for weight in weights.values()), strict=True)]
    cells = [cell for row in plain.arithmetic.product_with_transpose(joined, wide) for cell in row]
    return found | {"input": plain.plain.Array(input.shape, cells)}


right = plain.projections.qkv_projection_vjp


plain.projections.qkv_projection_vjp = qkv_projection_vjp

export(globals(), plain)
