"""Causal attention, for `attnspec check FILE.py`: put your own implementation in its place.

Each function that is named after an operation of the specification is asked; operations without one are skipped.
Arguments are NumPy arrays under the names of the specification, and copies: writing into them is a failure.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

NAME = "my attention"  # what reports call it
VERSION = "0.1"  # of your implementation
DTYPES = ("float64", "float32")  # what it takes; `attnspec check FILE.py --dtype float32` asks for another than float64

# Exceptions that mean "I refuse this input". Any other is an error of the implementation. NumPy raises ValueError
# where shapes do not fit, so that nothing more is needed here. An exception may say which fault it found by an
# attribute `code`, such as "width_mismatch"; spec/errors.md has them all.
REFUSALS = (ValueError,)

Array = NDArray[np.floating]


def causal_attention(query: Array, key: Array, value: Array) -> dict[str, Array]:
    """Return the output, and whatever else of the operation is to be compared.

    query and key are [B, T, d_k], value and output [B, T, d_v], probabilities [B, T, T].
    """
    probabilities = _probabilities(query, key)
    return {"output": probabilities @ value, "probabilities": probabilities}


def causal_attention_vjp(query: Array, key: Array, value: Array, output_upstream: Array) -> dict[str, Array]:
    """Return the gradient of sum(output * output_upstream) for each input. Without this, gradients are skipped."""
    probabilities = _probabilities(query, key)
    along = np.where(_visible(query), output_upstream @ _turned(value), 0.0)
    centred = along - (probabilities * along).sum(axis=-1, keepdims=True)
    scores = probabilities * centred / math.sqrt(query.shape[-1])
    return {
        "query": scores @ key,
        "key": _turned(scores) @ query,
        "value": _turned(probabilities) @ output_upstream,
    }


def _probabilities(query: Array, key: Array) -> Array:
    scores = np.where(_visible(query), query @ _turned(key) / math.sqrt(query.shape[-1]), -np.inf)
    with np.errstate(over="ignore"):  # a distance beyond the largest number is infinite, and its weight 0
        weights: Array = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def _visible(query: Array) -> NDArray[np.bool_]:
    """Row i may see the keys 0 to i."""
    return np.tri(query.shape[-2], dtype=np.bool_)


def _turned(array: Array) -> Array:
    return np.swapaxes(array, -1, -2)
