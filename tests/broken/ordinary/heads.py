"""Scaled scores and both heads, batch elements at once; the scale goes into the query."""

from __future__ import annotations

from typing import Any

import numpy as np

from ordinary.arrays import Array


class Heads:
    # Forward

    def scaled_scores(self, query: Array, key: Array) -> dict[str, Any]:
        scale = self.scale(query, key)
        return {
            "scaled_scores": self.scaled(query, key, scale),
            "raw_scores": self.raw(query, key),
            "scale": np.array(scale),
        }

    def attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        return self.head(query, key, value, causal=False)

    def causal_attention(self, query: Array, key: Array, value: Array) -> dict[str, Any]:
        return self.head(query, key, value, causal=True) | self.causal_mask(query.shape[1])

    def head(self, query: Array, key: Array, value: Array, causal: bool) -> dict[str, Any]:
        scale = self.head_scale(query, key, value)
        scores = self.scaled(query, key, scale)
        probabilities = self.softmax(scores, self.visibility(scores, causal))
        return {
            "output": self.mixed(probabilities, value),
            "raw_scores": self.raw(query, key),
            "scaled_scores": scores,
            "probabilities": probabilities,
            "scale": np.array(scale),
        }

    def causal_mask(self, tokens: int) -> dict[str, Any]:
        return {"mask": self.additive(self.visible(tokens, tokens))}

    def causal_softmax(self, scores: Array) -> dict[str, Any]:
        return {"probabilities": self.softmax(scores, self.visibility(scores, causal=True))}

    # The places of the way forward

    def head_scale(self, query: Array, key: Array, value: Array) -> float:
        return self.scale(query, key)

    def scale(self, query: Array, key: Array) -> float:
        return float(query.shape[-1] ** -0.5)

    def raw(self, query: Array, key: Array) -> Array:
        return np.einsum("bid,bjd->bij", query, key)

    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        return np.einsum("bid,bjd->bij", query * scale, key)

    def visible(self, queries: int, keys: int) -> Array:
        return np.tri(queries, keys, dtype=np.bool_)

    def additive(self, visible: Array) -> Array:
        return np.where(visible, 0.0, -np.inf)

    def visibility(self, scores: Array, causal: bool) -> Array:
        sizes = scores.shape[-2:]
        return np.broadcast_to(self.visible(*sizes) if causal else np.ones(sizes, np.bool_), scores.shape)

    def softmax(self, scores: Array, visible: Array) -> Array:
        shown = self.masked(scores, visible)
        return self.normalised(np.exp(shown - self.largest(shown)))

    def masked(self, scores: Array, visible: Array) -> Array:
        return np.where(visible, scores, -np.inf)

    def largest(self, shown: Array) -> Array:
        return np.asarray(shown.max(axis=-1, keepdims=True, initial=-np.inf))

    def normalised(self, exponentials: Array) -> Array:
        return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))

    def mixed(self, probabilities: Array, value: Array) -> Array:
        return np.einsum("bij,bjd->bid", probabilities, value)

    # Backward

    def scaled_scores_vjp(self, query: Array, key: Array, scaled_scores: Array, raw_scores: Any = None) -> Any:
        scale = self.scale(query, key)
        d_raw = self.joined_raw(raw_scores, self.towards_raw(scaled_scores, scale))
        return {"query": self.towards_query(d_raw, key), "key": self.towards_key(d_raw, query)}

    def attention_vjp(self, query: Array, key: Array, value: Array, output: Array, **inner: Array) -> Any:
        return self.head_vjp(query, key, value, False, output, **inner)

    def causal_attention_vjp(self, query: Array, key: Array, value: Array, output: Array, **inner: Array) -> Any:
        return self.head_vjp(query, key, value, True, output, **inner)

    def head_vjp(
        self,
        query: Array,
        key: Array,
        value: Array,
        causal: bool,
        output: Array,
        probabilities: Any = None,
        scaled_scores: Any = None,
        raw_scores: Any = None,
    ) -> dict[str, Array]:
        scale = self.head_scale(query, key, value)
        scores = self.scaled(query, key, scale)
        visible = self.visibility_backward(scores, causal)
        weights = self.softmax(scores, visible)
        d_weights = self.joined_probabilities(probabilities, self.towards_probabilities(output, value))
        d_scores = self.softmax_backward(weights, d_weights, visible)
        d_scaled = self.joined_scaled(scaled_scores, d_scores)
        d_raw = self.joined_raw(raw_scores, self.towards_raw(d_scaled, scale))
        return {
            "query": self.towards_query(d_raw, key),
            "key": self.towards_key(d_raw, query),
            "value": self.towards_value(weights, output),
        }

    def causal_softmax_vjp(self, scores: Array, probabilities: Array) -> dict[str, Array]:
        visible = self.visibility_backward(scores, causal=True)
        weights = self.softmax(scores, visible)
        return {"scores": self.softmax_backward(weights, self.joined_probabilities(probabilities, None), visible)}

    # The places of the way back

    def visibility_backward(self, scores: Array, causal: bool) -> Array:
        return self.visibility(scores, causal)

    def joined_upstream(self, own: Any, later: Any) -> Array:
        """The upstream of an output itself, and what flows back from later steps."""
        return np.asarray(later if own is None else own if later is None else own + later)

    def joined_probabilities(self, own: Any, later: Any) -> Array:
        return self.joined_upstream(own, later)

    def joined_scaled(self, own: Any, later: Any) -> Array:
        return self.joined_upstream(own, later)

    def joined_raw(self, own: Any, later: Any) -> Array:
        return self.joined_upstream(own, later)

    def towards_probabilities(self, output: Array, value: Array) -> Array:
        return output @ value.swapaxes(1, 2)

    def softmax_backward(self, weights: Array, d_weights: Array, visible: Array) -> Array:
        shown = np.where(visible, d_weights, 0.0)
        return weights * (shown - self.row_term(weights, shown))

    def row_term(self, weights: Array, d_weights: Array) -> Array:
        return np.einsum("...ij,...ij->...i", weights, d_weights)[..., None]

    def towards_raw(self, d_scaled: Array, scale: float) -> Array:
        return d_scaled * scale

    def towards_query(self, d_raw: Array, key: Array) -> Array:
        return d_raw @ key

    def towards_key(self, d_raw: Array, query: Array) -> Array:
        return d_raw.swapaxes(1, 2) @ query

    def towards_value(self, weights: Array, output: Array) -> Array:
        return weights.swapaxes(1, 2) @ output
