"""The head: scores, probabilities, and the mixture of values. Without a mask every key is visible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attnspec.attention.head_shapes import check_head_shapes
from attnspec.attention.scaled_scores import ScaledScores, score
from attnspec.attention.stages import stage
from attnspec.autodiff.operations import matrix_product
from attnspec.autodiff.softmax import Visibility, visible_softmax
from attnspec.autodiff.tape import Value


@dataclass(frozen=True)
class Head(ScaledScores):
    """Everything a head computed, to be inspected; probabilities are also called weights."""

    probabilities: Value
    output: Value
    key_width: int
    value_width: int


def attention(query: Value, key: Value, value: Value) -> Head:
    """Let every query see every key.

    Args:
        query: [B, T, d_k].
        key: [B, T, d_k].
        value: [B, T, d_v]; d_v may differ from d_k.

    Returns:
        the output [B, T, d_v] with raw scores, scaled scores and probabilities, each [B, T, T].

    Raises:
        SpecificationError: the checks of `check_head_shapes`.
        NonFiniteResultError: a stage overflowed; the error names it.
        ReleasedOperandError: an operand's tape was released.

    Source:
        attention.1 to attention.19
    """
    return attend(query, key, value, lambda queries, keys: np.ones((queries, keys), dtype=np.bool_))


def attend(query: Value, key: Value, value: Value, visibility: Callable[[int, int], Visibility]) -> Head:
    """Let each query see the keys that `visibility` grants: from (T_q, T_k) to [T_q, T_k] booleans.

    Source:
        attention.1 to attention.3, causal_attention.1 to causal_attention.4
    """
    check_head_shapes(query, key, value)
    scores = score(query, key)
    visible = visibility(query.shape[1], key.shape[1])
    with stage("probabilities", "scaled_scores"):
        probabilities = visible_softmax(scores.scaled_scores, visible)  # [B, T, T], rows sum to 1
    with stage("output", "probabilities", "value"):
        output = matrix_product(probabilities, value)  # [B, T, d_v] mixtures of values
    return Head(
        scores.raw_scores, scores.scaled_scores, scores.scale, probabilities, output, query.shape[2], value.shape[2]
    )
