"""Softmax over the causal prefix of each row."""

from __future__ import annotations

from attnspec.attention.causal_mask import causal_visibility
from attnspec.attention.stages import stage
from attnspec.autodiff.softmax import visible_softmax
from attnspec.autodiff.tape import Value
from attnspec.errors import NoTokensError, NotSquareError, RankError


def causal_softmax(scores: Value) -> Value:
    """Normalise each row over the keys up to its own position; what lies beyond is +0.0 and never read.

    Args:
        scores: [..., T, T]; leading axes are independent.

    Returns:
        [..., T, T] probabilities.

    Raises:
        RankError: the rank is below 2.
        NotSquareError: the last two axes differ.
        NoTokensError: T is 0; an empty leading axis is valid.
        ReleasedOperandError: the scores' tape was released.

    Source:
        causal_softmax.1, causal_softmax.12 to causal_softmax.17
    """
    if scores.tensor.rank < 2:
        raise RankError(tensor="scores", rank=scores.tensor.rank, expected=2)
    queries, keys = scores.shape[-2:]
    if queries != keys:
        raise NotSquareError(queries=queries, keys=keys)
    if keys == 0:
        raise NoTokensError
    with stage("probabilities", "scores"):
        return visible_softmax(scores, causal_visibility(keys))
