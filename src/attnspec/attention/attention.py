"""The head: scores, probabilities, and the mixture of values. Without a mask every key is visible."""

from __future__ import annotations

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
    check_head_shapes(query, key, value)
    scores = score(query, key)
    return mix(scores, np.ones(scores.raw_scores.shape[-2:], dtype=np.bool_), value)


def mix(scores: ScaledScores, visible: Visibility, value: Value) -> Head:
    """Turn scores into probabilities over the visible keys, and mix the values by them.

    Args:
        scores: [B, T_q, T_k].
        visible: [T_q, T_k]; every query sees at least one key.
        value: [B, T_k, d_v].

    Returns:
        everything that was computed; the output is [B, T_q, d_v].

    Source:
        attention.2, attention.3, causal_attention.3, causal_attention.4
    """
    with stage("probabilities", "scaled_scores"):
        probabilities = visible_softmax(scores.scaled_scores, visible)  # [B, T_q, T_k], rows sum to 1
    with stage("output", "probabilities", "value"):
        output = matrix_product(probabilities, value)  # [B, T_q, d_v] mixtures of values
    return Head(**vars(scores), probabilities=probabilities, output=output, value_width=value.shape[-1])
