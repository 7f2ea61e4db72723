"""Error bounds of scores, heads and the causal softmax, forward and backward (conformance)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, exact, unknown_where
from attnspec.conformance.softmax_bounds import SoftmaxBound, score_gradients, softmax_bound

SCALING = 10  # roundings of the scale, wherever it is folded in, and of the change of base
Upstream = Mapping[str, FloatArray]
Bounds = dict[str, FloatArray]


@dataclass(frozen=True)
class Scores:
    """Raw and scaled scores with their errors, and the scale."""

    raw: Bounded
    scaled: Bounded
    scale: float


def scores_of(query: FloatArray, key: FloatArray, rounding: Rounding) -> Scores:
    """Bound dot products and their scaling, the scale on the scores, the query or the key."""
    scale = 1.0 / float(np.sqrt(query.shape[-1]))
    raw = rounding.product(exact(query), exact(key).turned())
    folded = rounding.product(exact(query), exact(key).turned(), extra=SCALING)
    scaled = Bounded(raw.value * scale, folded.error * scale + rounding.tiny)
    return Scores(raw, scaled, scale)


def scaled_scores_bounds(inputs: Upstream, upstream: Upstream, rounding: Rounding) -> Bounds:
    """Bound `scaled_scores` and its gradients."""
    scores = scores_of(inputs["query"], inputs["key"], rounding)
    return _score_bounds(scores, rounding) | _query_and_key(inputs, upstream, None, scores, rounding)


def head_bounds(inputs: Upstream, upstream: Upstream, visible: NDArray[np.bool_], rounding: Rounding) -> Bounds:
    """Bound a head with these visible cells: every intermediate, the output, the gradients."""
    value = inputs["value"]
    scores = scores_of(inputs["query"], inputs["key"], rounding)
    softmax = softmax_bound(scores.scaled, visible, rounding)
    bounds = _score_bounds(scores, rounding) | {
        "probabilities": softmax.bounded(softmax.rounded).error,
        "output": _mixture(softmax, value, rounding),
    }
    flowing = None
    if upstream.keys() & {"output", "probabilities"}:
        gradient, magnitude = _probability_gradient(softmax, value, upstream, rounding)
        flowing = score_gradients(softmax, gradient, magnitude, rounding)
    bounds |= _query_and_key(inputs, upstream, flowing, scores, rounding)
    if upstream:
        weights = softmax.bounded(softmax.recomputed)
        sent = exact(upstream["output"]) if "output" in upstream else exact(np.zeros_like(value))
        bounds["gradients.value"] = rounding.product(weights.turned(), sent).error
    return bounds


def causal_softmax_bounds(inputs: Upstream, upstream: Upstream, rounding: Rounding) -> Bounds:
    """Bound `causal_softmax` and its gradient; a change of base rounds each score."""
    scores = inputs["scores"]
    visible = np.tri(scores.shape[-1], dtype=np.bool_)
    softmax = softmax_bound(Bounded(scores, 2 * rounding.unit * np.abs(scores)), visible, rounding)
    bounds = {"probabilities": softmax.bounded(softmax.rounded).error}
    if upstream:
        sent = exact(upstream["probabilities"])
        bounds["gradients.scores"] = score_gradients(softmax, sent, np.abs(sent.value), rounding).error
    return bounds


def _score_bounds(scores: Scores, rounding: Rounding) -> Bounds:
    return {
        "raw_scores": scores.raw.error,
        "scaled_scores": scores.scaled.error,
        "scale": np.asarray(4 * rounding.unit * scores.scale),
    }


def _mixture(softmax: SoftmaxBound, value: FloatArray, rounding: Rounding) -> FloatArray:
    """Bound the output: wrong scores move it only as far as the values differ from it."""
    weights = softmax.value
    output = weights @ value
    reach = (weights + softmax.moved) @ np.abs(value)
    spread = np.stack(
        [
            (softmax.moved * np.abs(value[..., None, :, column] - output[..., :, None, column])).sum(axis=-1)
            for column in range(value.shape[-1])
        ],
        axis=-1,
    )
    relative = softmax.rounded + rounding.summed(weights.shape[-1], 2)
    error = spread + relative * reach + softmax.lost * (1.0 + np.abs(value).sum(axis=-2, keepdims=True))
    unnormalised = reach * softmax.visible.sum(axis=-1, keepdims=True)  # online softmax divides last
    overflows = (unnormalised > rounding.inside.largest / 4) | (np.abs(output) + error > rounding.largest / 2)
    return unknown_where(overflows, error)


def _probability_gradient(
    softmax: SoftmaxBound, value: FloatArray, upstream: Upstream, rounding: Rounding
) -> tuple[Bounded, FloatArray]:
    """Return dA with its error, and the magnitudes that it is a sum of."""
    own = upstream.get("probabilities", np.zeros(softmax.value.shape))
    sent = upstream.get("output")
    if sent is None:
        return exact(own), np.abs(own)
    product = rounding.product(exact(sent), exact(value).turned(), extra=1)
    magnitude = np.abs(sent) @ np.swapaxes(np.abs(value), -1, -2) + np.abs(own)
    return rounding.added(product, exact(own)), magnitude


def _query_and_key(
    inputs: Upstream, upstream: Upstream, flowing: Bounded | None, scores: Scores, rounding: Rounding
) -> Bounds:
    """Bound the gradients of query and key from what flows into the scaled scores and the scores' own upstreams."""
    if not upstream:
        return {}
    nothing = exact(np.zeros(scores.raw.value.shape))
    scaled = rounding.added(flowing or nothing, exact(upstream.get("scaled_scores", nothing.value)))
    raw = rounding.added(
        rounding.scaled(scaled, scores.scale, SCALING), exact(upstream.get("raw_scores", nothing.value))
    )
    return {
        "gradients.query": rounding.product(raw, exact(inputs["key"]), extra=SCALING).error,
        "gradients.key": rounding.product(raw.turned(), exact(inputs["query"]), extra=SCALING).error,
    }
