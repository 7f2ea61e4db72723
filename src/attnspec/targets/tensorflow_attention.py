"""tf.keras.layers.Attention, the dot-product attention that TensorFlow has (conformance).

The layer has no scale but a learned one, so the query is divided by the root of its width before.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from attnspec.targets.tensorflow_quiet import tf

NAME = "tensorflow"
VERSION = tf.__version__
DTYPES = ("float64", "float32", "float16", "bfloat16")
REFUSALS = (tf.errors.InvalidArgumentError,)

Array = Any


def _attend(is_causal: bool, query: Any, key: Any, value: Any) -> tuple[Any, Any]:
    layer = tf.keras.layers.Attention(dtype=query.dtype.name)
    scaled = query / tf.sqrt(tf.cast(tf.shape(query)[-1], query.dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Keras doubts a softmax over one key
        output, probabilities = layer([scaled, value, key], use_causal_mask=is_causal, return_attention_scores=True)
    return output, probabilities


def _forward(query: Array, key: Array, value: Array, is_causal: bool) -> dict[str, Array]:
    output, probabilities = _attend(is_causal, *map(tf.constant, (query, key, value)))
    return {"output": output.numpy(), "probabilities": probabilities.numpy()}


def _gradients(query: Array, key: Array, value: Array, output_upstream: Array, is_causal: bool) -> dict[str, Array]:
    leaves = [tf.constant(each) for each in (query, key, value)]
    with tf.GradientTape() as tape:
        tape.watch(leaves)
        output, _ = _attend(is_causal, *leaves)
    gradients = tape.gradient(output, leaves, tf.constant(output_upstream))
    return {name: each.numpy() for name, each in zip(("query", "key", "value"), gradients, strict=True)}


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where the message says it; a product that does not fit may be either of two."""
    return "batch_mismatch" if "must have compatible batch dimensions" in str(exception) else None


attention = partial(_forward, is_causal=False)
causal_attention = partial(_forward, is_causal=True)
attention_vjp = partial(_gradients, is_causal=False)
causal_attention_vjp = partial(_gradients, is_causal=True)
