"""The checks that both heads make on their operands, in order (attention, scaled_scores)."""

from __future__ import annotations

from attnspec.autodiff.tape import Value
from attnspec.errors import (
    BatchMismatchError,
    NoTokensError,
    RankError,
    TokenMismatchError,
    WidthMismatchError,
    ZeroWidthError,
)


def check_head_shapes(query: Value, key: Value, value: Value | None = None) -> None:
    """Check ranks, batch sizes, token counts and widths of a head's operands, in this order.

    Args:
        query: [B, T, d_k].
        key: [B, T, d_k].
        value: [B, T, d_v], or None where only scores are made.

    Raises:
        RankError: an operand has not rank 3 (query, then key, then value).
        BatchMismatchError: the batch sizes differ.
        TokenMismatchError: the token counts differ.
        NoTokensError: T is 0; an empty batch is valid.
        ZeroWidthError: the query or the key has width 0, or, checked last, the value.
        WidthMismatchError: the query's width is not the key's.

    Source:
        attention.9 to attention.15, scaled_scores.6 to scaled_scores.12
    """
    operands = {"query": query, "key": key} | ({"value": value} if value is not None else {})
    for name, operand in operands.items():
        if operand.tensor.rank != 3:
            raise RankError(tensor=name, rank=operand.tensor.rank, expected=3)
    batches, tokens, widths = ({name: operand.shape[axis] for name, operand in operands.items()} for axis in range(3))
    if len(set(batches.values())) > 1:
        raise BatchMismatchError(**batches)
    if len(set(tokens.values())) > 1:
        raise TokenMismatchError(**tokens)
    if tokens["query"] == 0:
        raise NoTokensError
    for name in ("query", "key"):
        if widths[name] == 0:
            raise ZeroWidthError(tensor=name)
    if widths["query"] != widths["key"]:
        raise WidthMismatchError(query=widths["query"], key=widths["key"])
    if widths.get("value") == 0:
        raise ZeroWidthError(tensor="value")
