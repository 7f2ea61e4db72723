"""The gradient of a weight is summed for each batch element first."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("linear_projection.7", "qkv_projection.10")


plain = plain_copy()


def towards_weight(inputs: Any, gradient: Any, weight: Any) -> Any:
    width, height = inputs.shape[-1], gradient.shape[-1]
    tokens = inputs.shape[-2] if len(inputs.shape) > 1 else 1
    rows, sent = inputs.rows(), gradient.rows()
    total = [[0.0] * height for _ in range(width)]
    for start in range(0, len(rows), max(tokens, 1)):
        end = start + tokens
        total = plain.heads.added(
            total, plain.arithmetic.transpose_times(rows[start:end], sent[start:end], width, height)
        )
    return plain.plain.Array(weight.shape, [cell for row in total for cell in row])


plain.projections.towards_weight = towards_weight

export(globals(), plain)
