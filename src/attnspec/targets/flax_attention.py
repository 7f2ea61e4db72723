"""Flax: linen.dot_product_attention, and nnx.dot_product_attention, which hands over to JAX (conformance)."""

from __future__ import annotations

from functools import partial
from typing import Any

import flax
import jax
from flax import linen, nnx

from attnspec.targets import jax_refusals
from attnspec.targets.jax_attention import JAX


class FlaxAttention:
    """One of the two, with the causal mask of the same module.

    Args:
        name: what reports call it.
        module: has `dot_product_attention` and `make_causal_mask`.
    """

    VERSION = flax.__version__
    DTYPES = ("float64", "float32", "float16", "bfloat16")
    LAYOUT = "BTHD"
    REFUSALS = (ValueError, AssertionError)

    def __init__(self, name: str, module: Any) -> None:
        self.NAME = name
        self._module = module
        self.attention, self.attention_vjp = JAX.attention(partial(self._attend, is_causal=False))
        self.causal_attention, self.causal_attention_vjp = JAX.attention(partial(self._attend, is_causal=True))

    @staticmethod
    def error_code(exception: Exception, operation: str) -> str | None:
        """Return the code of a refusal where the message, of Flax or of JAX below it, says which it is."""
        own = next((code for words, code in _CODES.items() if words in str(exception)), None)
        return own or jax_refusals.error_code(exception, operation)

    def _attend(self, query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
        mask = self._module.make_causal_mask(jax.numpy.empty(query.shape[:-2])) if is_causal else None  # [B, 1, T, T]
        return {"output": self._module.dot_product_attention(query, key, value, mask=mask)}


_CODES = {
    "must have same rank": "rank",
    "batch dims must match": "batch_mismatch",
    "lengths must match": "token_mismatch",
    "q, k depths must match": "width_mismatch",
}

LINEN = FlaxAttention("flax", linen)
NNX = FlaxAttention("flax-nnx", nnx)
