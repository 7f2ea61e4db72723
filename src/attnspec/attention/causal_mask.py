"""The causal mask: a token sees itself and what came before it."""

from __future__ import annotations

import operator

import numpy as np

from attnspec.autodiff.softmax import Visibility
from attnspec.errors import MaskMemoryError, MaskOverflowError, NegativeTokensError
from attnspec.numeric.tensor import Tensor

LARGEST_INDEX = 2**63 - 1
LARGEST_MASK = 2**28
"""The reference's own limit, in cells (2 GiB)."""


def causal_mask(tokens: int) -> Tensor:
    """Return the additive mask that hides every later key.

    Args:
        tokens: number of positions T; 0 gives [0, 0].

    Returns:
        [T, T] logits; row i is query i, column j is key j; 0.0 is visible, -inf is hidden.

    Raises:
        NegativeTokensError: T is negative.
        MaskOverflowError: T * T exceeds the index range.
        MaskMemoryError: T * T cells cannot be held, or exceed the reference's limit.

    Source:
        causal_mask.1 to causal_mask.9
    """
    tokens = operator.index(tokens)  # a NumPy integer would wrap around when squared
    if tokens < 0:
        raise NegativeTokensError(tokens=tokens)
    elements = tokens * tokens
    if elements > LARGEST_INDEX:
        raise MaskOverflowError(tokens=tokens)
    if elements > LARGEST_MASK:
        raise MaskMemoryError(elements=elements)
    try:
        return Tensor.taking(np.where(causal_visibility(tokens), 0.0, -np.inf))
    except MemoryError as error:
        raise MaskMemoryError(elements=elements) from error


def causal_visibility(tokens: int) -> Visibility:
    """Return [T, T] booleans: query i sees key j when j <= i.

    Source:
        causal_mask.2 to causal_mask.4
    """
    position = np.arange(tokens)
    return position[None, :] <= position[:, None]
