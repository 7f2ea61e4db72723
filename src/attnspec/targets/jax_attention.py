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

from attnspec.targets.jax_refusals import error_code, own_words

Array = Any
Function = Callable[..., dict[str, Array]]
_SUFFIX = "_upstream"

jax.config.update("jax_enable_x64", True)


class JaxAttention:
    """What a user of JAX calls for each operation.

    Args:
        name: what reports call it.
        compiled: wraps each operation, forward and back.
    """

    VERSION = jax.__version__
    DTYPES = ("float64", "float32", "float16", "bfloat16")
    ACCUMULATES = "float32"
    LAYOUT = "BTHD"
    REFUSALS = (ValueError, IndexError)
    error_code = staticmethod(error_code)

    def __init__(self, name: str, compiled: Callable[[Function], Function]) -> None:
        self.NAME = name
        for operation, function in _FUNCTIONS.items():
            setattr(self, operation, partial(_forward, compiled(function)))
            setattr(self, f"{operation}_vjp", partial(_vjp, compiled(partial(_pulled_back, function))))
        for operation, is_causal in {"attention": False, "causal_attention": True}.items():
            attend = partial(_attend, is_causal=is_causal)
            setattr(self, operation, partial(_forward, compiled(attend)))
            setattr(self, f"{operation}_vjp", partial(_vjp_of_output, compiled(partial(_pulled_back, attend))))

    def causal_mask(self, tokens: int) -> Array:
        with own_words():
            return np.asarray(jnp.triu(jnp.full((tokens, tokens), -jnp.inf), 1))


def _forward(function: Function, /, **inputs: Array) -> dict[str, Array]:
    with own_words():
        return _to_numpy(function(**_to_jax(inputs)))


def _vjp(pulled_back: Function, /, **given: Array) -> dict[str, Array]:
    """Return the gradients for inputs; what is named `<output>_upstream` flows back from that output."""
    upstream = {name.removesuffix(_SUFFIX): array for name, array in given.items() if name.endswith(_SUFFIX)}
    inputs = {name: array for name, array in given.items() if not name.endswith(_SUFFIX)}
    with own_words():
        return _to_numpy(pulled_back(_to_jax(inputs), _to_jax(upstream)))


def _vjp_of_output(
    pulled_back: Function, /, query: Array, key: Array, value: Array, output_upstream: Array
) -> dict[str, Array]:
    return _vjp(pulled_back, query=query, key=key, value=value, output_upstream=output_upstream)


def _pulled_back(function: Function, inputs: dict[str, Array], upstream: dict[str, Array]) -> dict[str, Array]:
    results, back = jax.vjp(lambda leaves: function(**leaves), inputs)
    (gradients,) = back({name: upstream.get(name, jnp.zeros_like(result)) for name, result in results.items()})
    return dict(gradients)


def _to_jax(arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {name: jnp.asarray(array) for name, array in arrays.items()}


def _to_numpy(arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {name: np.asarray(array) for name, array in arrays.items()}


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

EAGER = JaxAttention("jax", lambda function: function)
JIT = JaxAttention("jax-jit", jax.jit)
