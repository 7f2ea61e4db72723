"""Raw scores and their scaling: how well each query matches each key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnspec.attention.head_shapes import check_head_shapes
from attnspec.attention.stages import stage
from attnspec.autodiff.operations import row_products, scale
from attnspec.autodiff.tape import Value


@dataclass(frozen=True)
class ScaledScores:
    """Raw scores (dot products), scaled scores, the scale between them, and the width it comes from."""

    raw_scores: Value
    scaled_scores: Value
    scale: float
    key_width: int


def scaled_scores(query: Value, key: Value) -> ScaledScores:
    """Return the dot products of queries with keys, and these times 1/sqrt(d_k).

    Args:
        query: [B, T, d_k].
        key: [B, T, d_k].

    Returns:
        raw and scaled scores, both [B, T, T]; row i is query i, column j is key j.

    Raises:
        SpecificationError: the checks of `check_head_shapes`, for query and key.
        NonFiniteResultError: a score is not finite, whether or not a mask would hide it.
        ReleasedOperandError: an operand's tape was released.

    Source:
        scaled_scores.1 to scaled_scores.16
    """
    check_head_shapes(query, key)
    return score(query, key)


def score(query: Value, key: Value) -> ScaledScores:
    """Do as `scaled_scores`, on operands that were checked already.

    Source:
        scaled_scores.1 to scaled_scores.3
    """
    factor = 1.0 / float(np.sqrt(np.float64(query.shape[-1])))  # two roundings: arithmetic
    with stage("raw_scores", "query", "key"):
        raw = row_products(query, key)  # [B, T, T] dot products
    with stage("scaled_scores", "raw_scores"):
        scaled = scale(raw, factor)
    return ScaledScores(raw, scaled, factor, query.shape[-1])
