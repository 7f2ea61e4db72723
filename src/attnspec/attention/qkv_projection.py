"""Query, key and value: one sequence, projected three ways."""

from __future__ import annotations

from dataclasses import dataclass

from attnspec.attention.linear_projection import check_input_width, check_weight
from attnspec.attention.qkv_parameters import BRANCHES, branch_faults, check_branches_agree
from attnspec.attention.stages import stage
from attnspec.autodiff.operations import project
from attnspec.autodiff.tape import Value
from attnspec.errors import RankError


@dataclass(frozen=True)
class QueryKeyValue:
    """The three projections, each [B, T, d_head]."""

    query: Value
    key: Value
    value: Value


def qkv_projection(inputs: Value, query_weight: Value, key_weight: Value, value_weight: Value) -> QueryKeyValue:
    """Project the hidden sequence to queries, keys and values; no token is mixed with another.

    Args:
        inputs: [B, T, d_model], the normalised hidden sequence.
        query_weight, key_weight, value_weight: [d_model, d_head] each, three independent leaves.

    Returns:
        query, key and value, computed in this order.

    Raises:
        BranchError, BranchInputWidthsError, BranchOutputWidthsError: the layer cannot be built.
        RankError: the input has not exactly rank 3, though a linear projection alone would take it.
        InputWidthError: the input's last axis is not d_model.
        NonFiniteResultError: a product overflowed; the stage is `query`, `key` or `value`.
        ReleasedOperandError: an operand's tape was released.

    Source:
        qkv_projection.1 to qkv_projection.22
    """
    weights = (query_weight, key_weight, value_weight)
    for branch, weight in zip(BRANCHES, weights, strict=True):
        with branch_faults(branch):
            check_weight(weight)
    check_branches_agree(weights)
    if inputs.tensor.rank != 3:
        raise RankError(tensor="input", rank=inputs.tensor.rank, expected=3)
    check_input_width(inputs, query_weight)
    projections = []
    for branch, weight in zip(BRANCHES, weights, strict=True):
        with stage(branch, "input", f"{branch}_weight"):
            projections.append(project(inputs, weight))  # [B, T, d_head]
    return QueryKeyValue(*projections)
