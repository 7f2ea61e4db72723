"""Ranks are looked at from the last operand to the first."""

from typing import Any

from copies import reference_copy

from attnspec.errors import RankError

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.6",
    "scaled_scores.12",
    "attention.9",
    "attention.15",
    "causal_attention.13",
    "causal_attention.19",
)


TARGET = reference_copy()
modules = TARGET.modules


def check_head_shapes(query: Any, key: Any, value: Any = None) -> None:
    operands = {"value": value, "key": key, "query": query}
    for name, operand in operands.items():
        if operand is not None and operand.tensor.rank != 3:
            raise RankError(tensor=name, rank=operand.tensor.rank, expected=3)
    right(query, key, value)


right = modules.attention_head_shapes.check_head_shapes


modules.attention_attention.check_head_shapes = check_head_shapes
modules.attention_causal_attention.check_head_shapes = check_head_shapes
modules.attention_scaled_scores.check_head_shapes = check_head_shapes
