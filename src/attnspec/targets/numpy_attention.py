"""NumPy as its users write attention: `@` (BLAS), `np.exp`, `np.sum`, and gradients by hand.

float16 is summed in float32: NumPy's own loops for `@` and for `np.sum` over the last axis do so. bfloat16 is left out:
`@` of ml_dtypes' bfloat16 answers in float32.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnspec.targets import numpy_products
from attnspec.targets.numpy_products import turned

Array = NDArray[Any]

NAME = "numpy"
VERSION = np.__version__
DTYPES = ("float64", "float32", "float16")
ACCUMULATES = "float32"
EXP_ULPS = 3.0  # of float32, with AVX-512: 2.54 over all numbers from 2^-6 to 88
REFUSALS = (ValueError,)

_quietly = np.errstate(all="ignore")  # cases overflow on purpose; what comes of it stands in the answer
_WIDTHS = {"matrix_product": "inner_width", "linear_projection": "input_width", "scaled_scores": "width_mismatch"}


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where NumPy's message shows it; in a head `@` does not say which product it is."""
    message = str(exception)
    if "mismatch in its core dimension" in message:
        return _WIDTHS.get(operation)
    if "enough dimensions" in message or isinstance(exception, np.exceptions.AxisError):
        return "rank"
    if "negative dimensions" in message:
        return "negative_tokens"
    return None


matrix_product = _quietly(numpy_products.matrix_product)
matrix_product_vjp = _quietly(numpy_products.matrix_product_vjp)
linear_projection = _quietly(numpy_products.linear_projection)
linear_projection_vjp = _quietly(numpy_products.linear_projection_vjp)
qkv_projection = _quietly(numpy_products.qkv_projection)
qkv_projection_vjp = _quietly(numpy_products.qkv_projection_vjp)


@_quietly
def exponential(x: Array) -> Array:
    return np.exp(x)


@_quietly
def scaled_scores(query: Array, key: Array) -> dict[str, Array]:
    raw_scores = query @ turned(key)
    return {"scaled_scores": raw_scores * _scale(query), "raw_scores": raw_scores, "scale": _scale(query)}


@_quietly
def scaled_scores_vjp(
    query: Array, key: Array, scaled_scores_upstream: Array, raw_scores_upstream: Array | float
) -> dict[str, Array]:
    flowing = scaled_scores_upstream * _scale(query) + raw_scores_upstream
    return {"query": flowing @ key, "key": turned(flowing) @ query}


def causal_mask(tokens: int) -> Array:
    return np.triu(np.full((tokens, tokens), -np.inf), 1)


@_quietly
def causal_softmax(scores: Array) -> Array:
    return _softmax(scores, _earlier(scores))


@_quietly
def causal_softmax_vjp(scores: Array, probabilities_upstream: Array) -> dict[str, Array]:
    visible = _earlier(scores)
    return {"scores": _softmax_vjp(_softmax(scores, visible), probabilities_upstream, visible)}


@_quietly
def gradient_check(analytic: Array, numeric: Array, tolerance: Array) -> dict[str, object]:
    scale = np.maximum(1.0, np.maximum(np.abs(analytic), np.abs(numeric)))
    difference = np.abs(analytic / scale - numeric / scale)
    return {"scaled_difference": difference, "within": bool(np.all(difference <= tolerance))}


@_quietly
def _head(query: Array, key: Array, value: Array, *, is_causal: bool) -> dict[str, Array]:
    scores = scaled_scores(query, key)
    visible = np.tri(query.shape[-2], dtype=bool) if is_causal else np.True_
    probabilities = _softmax(scores["scaled_scores"], visible)
    mask = {"mask": np.where(visible, 0, -np.inf).astype(query.dtype)} if is_causal else {}
    return {"output": probabilities @ value, "probabilities": probabilities, **scores, **mask}


@_quietly
def _head_vjp(
    query: Array,
    key: Array,
    value: Array,
    output_upstream: Array,
    raw_scores_upstream: Array | float = 0.0,
    scaled_scores_upstream: Array | float = 0.0,
    probabilities_upstream: Array | float = 0.0,
    *,
    is_causal: bool,
) -> dict[str, Array]:
    visible = np.tri(query.shape[-2], dtype=bool) if is_causal else np.True_
    probabilities = _head(query, key, value, is_causal=is_causal)["probabilities"]
    of_probabilities = output_upstream @ turned(value) + probabilities_upstream
    of_scaled = _softmax_vjp(probabilities, of_probabilities, visible) + scaled_scores_upstream
    of_scores = scaled_scores_vjp(query, key, of_scaled, raw_scores_upstream)
    return {**of_scores, "value": turned(probabilities) @ output_upstream}


attention = partial(_head, is_causal=False)
attention_vjp = partial(_head_vjp, is_causal=False)
causal_attention = partial(_head, is_causal=True)
causal_attention_vjp = partial(_head_vjp, is_causal=True)


def _softmax(scores: Array, visible: NDArray[np.bool_] | np.bool_) -> Array:
    scores = np.where(visible, scores, scores.dtype.type(-np.inf))
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return np.asarray(weights / np.sum(weights, axis=-1, keepdims=True))


def _softmax_vjp(probabilities: Array, upstream: Array, visible: NDArray[np.bool_] | np.bool_) -> Array:
    upstream = np.where(visible, upstream, upstream.dtype.type(0))  # what overflowed behind the mask stays there
    return np.asarray(probabilities * (upstream - np.sum(probabilities * upstream, axis=-1, keepdims=True)))


def _earlier(scores: Array) -> NDArray[np.bool_]:
    return np.tri(scores.shape[-1], dtype=bool)


def _scale(query: Array) -> Array:
    return np.asarray(1.0 / np.sqrt(query.shape[-1]), query.dtype)
