"""tf.keras.layers.Attention, the dot-product attention that TensorFlow has (conformance).

The layer has no scale but a learned one, so the query is divided by the root of its width before.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from attnspec.targets.framework import Framework
from attnspec.targets.tensorflow_quiet import tf

NAME = "tensorflow"
VERSION = tf.__version__
DTYPES = ("float64", "float32", "float16", "bfloat16")
REFUSALS = (tf.errors.InvalidArgumentError,)

Array = Any


def _attend(query: Any, key: Any, value: Any, is_causal: bool) -> dict[str, Any]:
    layer = tf.keras.layers.Attention(dtype=query.dtype.name)
    scaled = query / tf.sqrt(tf.cast(tf.shape(query)[-1], query.dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Keras doubts a softmax over one key
        output, probabilities = layer([scaled, value, key], use_causal_mask=is_causal, return_attention_scores=True)
    return {"output": output, "probabilities": probabilities}


def pull_back(function: Any, leaves: list[Any], upstreams: list[Any]) -> Any:
    """Return the gradients of leaves, as `Framework` asks for them."""
    with tf.GradientTape() as tape:
        tape.watch(leaves)
        outputs = function(*leaves)
    return tape.gradient(outputs, leaves, upstreams)


def error_code(exception: Exception, operation: str) -> str | None:
    """Return the code of a refusal where the message says it; a product that does not fit may be either of two."""
    return "batch_mismatch" if "must have compatible batch dimensions" in str(exception) else None


_TENSORFLOW = Framework(tf.constant, lambda tensor: tensor.numpy(), pull_back)
attention, attention_vjp = _TENSORFLOW.attention(partial(_attend, is_causal=False))
causal_attention, causal_attention_vjp = _TENSORFLOW.attention(partial(_attend, is_causal=True))
