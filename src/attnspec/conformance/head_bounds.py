"""Error bounds of scores, heads and the causal softmax, forward and backward (conformance)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.gradient_bounds import Sent, score_gradients
from attnspec.conformance.mixture_bounds import mixture
from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, exact
from attnspec.conformance.softmax_bounds import SoftmaxBound, softmax_bound

SCALING = 8  # roundings of one constant for half the scale and half the change of base, and its products, on both sides
SCALING_BACK = 7  # roundings of half the scale, and of its products with the gradient and with query or key
Upstream = Mapping[str, FloatArray]
Bounds = dict[str, FloatArray]


@dataclass(frozen=True)
class Scores:
    """Raw and scaled scores with their errors; query and key with what folding the scale into them may lose."""

    raw: Bounded
    scaled: Bounded
    scale: float
    query: Bounded
    key: Bounded


def scores_of(query: FloatArray, key: FloatArray, rounding: Rounding) -> Scores:
    """Bound dot products and their scaling, the scale on the scores, the query or the key."""
    scale = 1.0 / float(np.sqrt(query.shape[-1]))
    raw = rounding.product(rounding.given(query), rounding.given(key).turned())
    left, right = (_folded(operand, scale, rounding) for operand in (query, key))
    once = Bounded(left.value * scale, left.error * scale)
    scaled = rounding.product(once, right.turned(), extra=SCALING, grown=1.0 / scale)
    return Scores(raw, Bounded(raw.value * scale, scaled.error), scale, left, right)


def scaled_scores_bounds(inputs: Upstream, upstream: Upstream, rounding: Rounding) -> Bounds:
    """Bound `scaled_scores` and its gradients."""
    scores = scores_of(inputs["query"], inputs["key"], rounding)
    return _score_bounds(scores, rounding) | _query_and_key(upstream, None, scores, rounding)


def head_bounds(inputs: Upstream, upstream: Upstream, visible: NDArray[np.bool_], rounding: Rounding) -> Bounds:
    """Bound a head with these visible cells: every intermediate, the output, the gradients."""
    value = inputs["value"]
    scores = scores_of(inputs["query"], inputs["key"], rounding)
    softmax = softmax_bound(scores.scaled, visible, rounding)
    bounds = _score_bounds(scores, rounding) | _probability_bounds(softmax)
    bounds["output"] = mixture(softmax, value, rounding)
    flowing = None
    if upstream.keys() & {"output", "probabilities"}:
        flowing = score_gradients(softmax, _sent(softmax, value, upstream, rounding), rounding)
    bounds |= _query_and_key(upstream, flowing, scores, rounding)
    if upstream:
        weights = Bounded(softmax.value, softmax.remade.error)
        sent = rounding.given(upstream.get("output", np.zeros_like(value)))
        bounds["gradients.value"] = rounding.product(weights.turned(), sent).error
    return bounds


def causal_softmax_bounds(inputs: Upstream, upstream: Upstream, rounding: Rounding) -> Bounds:
    """Bound `causal_softmax` and its gradient; a change of base rounds each score."""
    given = rounding.given(inputs["scores"])
    visible = np.tri(given.value.shape[-1], dtype=np.bool_)
    changed = Bounded(given.value, given.error + rounding.gamma(2) * given.reach)
    softmax = softmax_bound(changed, visible, rounding)
    bounds = _probability_bounds(softmax)
    if upstream:
        sent = Sent(rounding.given(upstream["probabilities"]))
        bounds["gradients.scores"] = score_gradients(softmax, sent, rounding).error
    return bounds


def _folded(operand: FloatArray, scale: float, rounding: Rounding) -> Bounded:
    """Return a query or a key with what zero in place of a scaled element loses, before the scale."""
    scaled = Bounded(operand * scale, rounding.gamma(SCALING) * np.abs(operand * scale))
    return Bounded(operand, rounding.lost(scaled) / scale)


def _score_bounds(scores: Scores, rounding: Rounding) -> Bounds:
    return {
        "raw_scores": scores.raw.error,
        "scaled_scores": scores.scaled.error,
        "scale": np.asarray(rounding.gamma(4) * scores.scale),
    }


def _probability_bounds(softmax: SoftmaxBound) -> Bounds:
    """Return the bound of each probability, and that of the sum of each row."""
    return {"probabilities": softmax.error, "row_sums.probabilities": softmax.row_sum}


def _sent(softmax: SoftmaxBound, value: FloatArray, upstream: Upstream, rounding: Rounding) -> Sent:
    """Return what flows into the probabilities: dA from the output, and an upstream of their own."""
    own = rounding.given(upstream.get("probabilities", np.zeros(softmax.value.shape)))
    if "output" not in upstream:
        return Sent(own)
    sent, values = rounding.given(upstream["output"]), rounding.given(value).turned()
    product = rounding.product(sent, values)
    gradient = rounding.added(product, own) if "probabilities" in upstream else product
    wrong = sent.error @ values.reach + sent.reach @ values.error + own.error
    terms = Bounded(sent.reach @ values.reach + own.reach, wrong)
    return Sent(gradient, terms, sent.reach.sum(axis=-1, keepdims=True), value.shape[-1])


def _query_and_key(upstream: Upstream, flowing: Bounded | None, scores: Scores, rounding: Rounding) -> Bounds:
    """Bound the gradients of query and key from what flows into the scaled scores and the scores' own upstreams."""
    if not upstream:
        return {}
    parts = [flowing] if flowing else []
    if "scaled_scores" in upstream:
        parts.append(rounding.given(upstream["scaled_scores"]))
    scaled = rounding.added(*parts) if parts else exact(np.zeros(scores.raw.value.shape))
    raw = rounding.stored(Bounded(scaled.value * scores.scale, scaled.error * scores.scale))
    if "raw_scores" in upstream:
        raw = rounding.added(raw, rounding.given(upstream["raw_scores"]))
    grown = 1.0 / scores.scale  # the scale may be the last factor
    return {
        "gradients.query": rounding.product(raw, scores.key, SCALING_BACK, grown).error,
        "gradients.key": rounding.product(raw.turned(), scores.query, SCALING_BACK, grown).error,
    }
