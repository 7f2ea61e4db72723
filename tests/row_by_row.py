"""Attention one query at a time, as a fused kernel goes: a running maximum, and nothing handed out but the output.

It shares nothing with src, with the plain reference or with the implementation that the broken twins are made of;
`mutants` changes a line of it at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float64]


def attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return _forward(query, key, value, False)


def causal_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return _forward(query, key, value, True)


def attention_vjp(query: Tensor, key: Tensor, value: Tensor, output_upstream: Tensor) -> dict[str, Tensor]:
    return _backward(query, key, value, output_upstream, False)


def causal_attention_vjp(query: Tensor, key: Tensor, value: Tensor, output_upstream: Tensor) -> dict[str, Tensor]:
    return _backward(query, key, value, output_upstream, True)


def _forward(query: Tensor, key: Tensor, value: Tensor, causal: bool) -> Tensor:
    _refuse(query, key, value)
    output = np.zeros((*query.shape[:2], value.shape[2]))
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            output[b, i] = _row(query[b, i], key[b], value[b], _seen(i, key.shape[1], causal))[0]
    return output


def _row(q: Tensor, keys: Tensor, values: Tensor, seen: range) -> tuple[Tensor, float]:
    """The mixture of one row and the logarithm of its denominator."""
    top, total, mixed = -np.inf, 0.0, np.zeros(values.shape[1])
    for j in seen:
        score = _score(q, keys[j])
        above = max(top, score)
        shrink, weight = _exp(top - above), _exp(score - above)
        total = total * shrink + weight
        mixed = mixed * shrink + weight * values[j]
        top = above
    return mixed / total, top + float(np.log(total))


def _backward(query: Tensor, key: Tensor, value: Tensor, upstream: Tensor, causal: bool) -> dict[str, Tensor]:
    _refuse(query, key, value)
    d_query, d_key, d_value = (np.zeros(tensor.shape) for tensor in (query, key, value))
    scale = _scale(query.shape[2])
    for b in range(query.shape[0]):
        for i in range(query.shape[1]):
            seen = _seen(i, key.shape[1], causal)
            output, logarithm = _row(query[b, i], key[b], value[b], seen)
            centre = float(upstream[b, i] @ output)
            for j in seen:
                weight = _exp(_score(query[b, i], key[b, j]) - logarithm)
                d_score = weight * (float(upstream[b, i] @ value[b, j]) - centre)
                d_query[b, i] += d_score * scale * key[b, j]
                d_key[b, j] += d_score * scale * query[b, i]
                d_value[b, j] += weight * upstream[b, i]
    return {"query": d_query, "key": d_key, "value": d_value}


def _score(q: Tensor, k: Tensor) -> float:
    return float(q @ k) * _scale(len(q))


def _scale(width: int) -> float:
    return float(1.0 / np.sqrt(width))


def _seen(i: int, tokens: int, causal: bool) -> range:
    return range(i + 1) if causal else range(tokens)


def _exp(x: float) -> float:
    return float(np.exp(x))


def _refuse(query: Tensor, key: Tensor, value: Tensor) -> None:
    if query.shape[2] != key.shape[2] or key.shape[1] != value.shape[1]:
        raise ValueError("the operands do not fit together")
