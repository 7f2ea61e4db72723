"""The causal head: each token attends to itself and what came before."""

from __future__ import annotations

from dataclasses import dataclass

from attnspec.attention.attention import Head, mix
from attnspec.attention.causal_mask import causal_mask
from attnspec.attention.head_shapes import check_head_shapes
from attnspec.attention.scaled_scores import score
from attnspec.autodiff.tape import Value
from attnspec.numeric.tensor import Tensor


@dataclass(frozen=True)
class CausalHead:
    """A head and the additive mask whose visible cells it read."""

    head: Head
    mask: Tensor


def causal_attention(query: Value, key: Value, value: Value) -> CausalHead:
    """Let query i see the keys j <= i; the mask acts before normalisation.

    Args:
        query: [B, T, d_k].
        key: [B, T, d_k].
        value: [B, T, d_v].

    Returns:
        the head's results and the mask [T, T], one for every batch element.

    Raises:
        SpecificationError: the checks of `check_head_shapes`, then those of `causal_mask`.
        NonFiniteResultError: a stage overflowed, raw and scaled scores of blocked cells included.
        ReleasedOperandError: an operand's tape was released.

    Source:
        causal_attention.1 to causal_attention.22
    """
    check_head_shapes(query, key, value)
    scores = score(query, key)
    mask = causal_mask(query.shape[1])
    return CausalHead(mix(scores, mask.array == 0.0, value), mask)
