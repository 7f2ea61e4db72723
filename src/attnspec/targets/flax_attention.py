"""Flax: linen.dot_product_attention, and nnx.dot_product_attention, which hands over to JAX (conformance)."""

from __future__ import annotations

from functools import partialmethod
from typing import Any

import flax
import jax
import numpy as np
from flax import linen, nnx

jax.config.update("jax_enable_x64", True)

Array = Any


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

    @staticmethod
    def error_code(exception: Exception, operation: str) -> str | None:
        """Return the code of a refusal where the message says which it is."""
        return next((code for words, code in _CODES.items() if words in str(exception)), None)

    def _attend(self, is_causal: bool, query: Any, key: Any, value: Any) -> Any:
        mask = self._module.make_causal_mask(jax.numpy.empty(query.shape[:-2])) if is_causal else None  # [B, 1, T, T]
        return self._module.dot_product_attention(query, key, value, mask=mask)

    def _forward(self, query: Array, key: Array, value: Array, is_causal: bool) -> Array:
        return np.asarray(self._attend(is_causal, *map(jax.numpy.asarray, (query, key, value))))

    def _gradients(
        self, query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool
    ) -> dict[str, Array]:
        leaves = [jax.numpy.asarray(each) for each in (query, key, value)]
        _, back = jax.vjp(lambda *inputs: self._attend(is_causal, *inputs), *leaves)
        gradients = back(jax.numpy.asarray(output_upstream))
        return dict(zip(("query", "key", "value"), map(np.asarray, gradients), strict=True))

    attention = partialmethod(_forward, is_causal=False)
    causal_attention = partialmethod(_forward, is_causal=True)
    attention_vjp = partialmethod(_gradients, is_causal=False)
    causal_attention_vjp = partialmethod(_gradients, is_causal=True)


_CODES = {
    "must have same rank": "rank",
    "batch dims must match": "batch_mismatch",
    "lengths must match": "token_mismatch",
    "q, k depths must match": "width_mismatch",
}

LINEN = FlaxAttention("flax", linen)
NNX = FlaxAttention("flax-nnx", nnx)
