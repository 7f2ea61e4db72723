"""Released operands are refused before the shapes are looked at, with no stage to name."""

from typing import Any

from copies import reference_copy

from attnspec.errors import ReleasedOperandError

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = (
    "linear_projection.17",
    "scaled_scores.15",
    "attention.18",
    "causal_attention.22",
    "causal_softmax.17",
    "qkv_projection.22",
)


TARGET = reference_copy()
modules = TARGET.modules


def leaf(tape: Any, name: str, request: Any) -> Any:
    if name in request.released:
        raise ReleasedOperandError(stage="leaf", operand=name)
    return right(tape, name, request)


right = modules.targets_reference._leaf


modules.targets_reference._leaf = leaf
