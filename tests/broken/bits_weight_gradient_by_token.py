"""The gradient of a weight runs over tokens outside and batch elements inside."""

from typing import Any

from copies import plain_copy
from ordinary import export

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("core",)
BREAKS = ("linear_projection.7", "qkv_projection.10")


plain = plain_copy()


def towards_weight(inputs: Any, gradient: Any, weight: Any) -> Any:
    tokens = max(inputs.shape[-2], 1) if len(inputs.shape) > 1 else 1
    pairs = list(zip(inputs.rows(), gradient.rows(), strict=True))
    turned = [pair for token in range(tokens) for pair in pairs[token::tokens]]
    total = plain.arithmetic.transpose_times(
        [row for row, _ in turned], [row for _, row in turned], inputs.shape[-1], gradient.shape[-1]
    )
    return plain.plain.Array(weight.shape, [cell for row in total for cell in row])


plain.projections.towards_weight = towards_weight

export(globals(), plain)
