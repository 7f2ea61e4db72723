"""The causal head: each token attends to itself and what came before."""

from __future__ import annotations

from dataclasses import dataclass

from attnspec.attention.attention import Head, attend
from attnspec.attention.causal_mask import causal_mask
from attnspec.autodiff.softmax import Visibility
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
    mask: Tensor | None = None

    def visibility(queries: int, keys: int) -> Visibility:
        nonlocal mask
        assert queries == keys  # check_head_shapes
        mask = causal_mask(queries)
        visible: Visibility = mask.array == 0.0
        return visible

    head = attend(query, key, value, visibility)
    assert mask is not None
    return CausalHead(head, mask)
