"""JAX: `jax.nn.dot_product_attention` on the CPU in 64-bit mode, run operation by operation or compiled as a whole.

Gradients are those of `jax.vjp`. JAX complains of some shapes by a TypeError: a refusal where its words are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from attnspec.targets.framework import Framework, Function
from attnspec.targets.jax_refusals import error_code, own_words

Array = Any

jax.config.update("jax_enable_x64", True)


class JaxAttention:
    """What a user of JAX calls for each operation.

    Args:
        name: what reports call it.
        compiled: wraps each operation, forward and back, as `jax.jit` does.
    """

    VERSION = jax.__version__
    DTYPES = ("float64", "float32", "float16", "bfloat16")
    ACCUMULATES = "float32"
    LAYOUT = "BTHD"
    REFUSALS = (ValueError, IndexError)
    error_code = staticmethod(error_code)

    def __init__(self, name: str, compiled: Callable[..., Any]) -> None:
        self.NAME = name
        framework = Framework(jnp.asarray, np.asarray, compiled(_pull_back, static_argnums=0))
        asked = {operation: framework.operation(compiled(function)) for operation, function in _FUNCTIONS.items()}
        asked["attention"] = framework.attention(compiled(partial(_attend, is_causal=False)))
        asked["causal_attention"] = framework.attention(compiled(partial(_attend, is_causal=True)))
        for operation, (forward, vjp) in asked.items():
            setattr(self, operation, own_words()(forward))
            setattr(self, f"{operation}_vjp", own_words()(vjp))

    @own_words()
    def causal_mask(self, tokens: int) -> Array:
        return np.asarray(jnp.triu(jnp.full((tokens, tokens), -jnp.inf), 1))


def _pull_back(function: Any, leaves: list[Array], upstreams: list[Array]) -> Any:
    return jax.vjp(function, *leaves)[1](upstreams)


def _attend(query: Array, key: Array, value: Array, *, is_causal: bool) -> dict[str, Array]:
    return {"output": jax.nn.dot_product_attention(query, key, value, is_causal=is_causal)}


def _qkv_projection(input: Array, query_weight: Array, key_weight: Array, value_weight: Array) -> dict[str, Array]:
    return {"query": input @ query_weight, "key": input @ key_weight, "value": input @ value_weight}


def _scaled_scores(query: Array, key: Array) -> dict[str, Array]:
    raw_scores = jnp.einsum("bqhd,bkhd->bhqk", query, key)
    return {"raw_scores": raw_scores, "scaled_scores": raw_scores / np.sqrt(query.shape[-1]).astype(query.dtype)}


def _causal_softmax(scores: Array) -> dict[str, Array]:
    visible = jnp.tri(scores.shape[-1], dtype=bool)
    return {"probabilities": jax.nn.softmax(jnp.where(visible, scores, -jnp.inf), axis=-1)}


_FUNCTIONS: Mapping[str, Function] = {
    "exponential": lambda x: {"y": jnp.exp(x)},
    "matrix_product": lambda left, right: {"product": left @ right},
    "linear_projection": lambda input, weight: {"output": input @ weight},
    "qkv_projection": _qkv_projection,
    "scaled_scores": _scaled_scores,
    "causal_softmax": _causal_softmax,
}

JAX = Framework(jnp.asarray, np.asarray, _pull_back)
EAGER = JaxAttention("jax", lambda function, **_: function)
JIT = JaxAttention("jax-jit", jax.jit)
