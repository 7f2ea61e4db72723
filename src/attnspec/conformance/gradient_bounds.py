"""How far the gradient of an admitted softmax may be off, from that of its probabilities (conformance)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, together, unknown_where
from attnspec.conformance.softmax_bounds import SoftmaxBound, Weights


@dataclass(frozen=True)
class Sent:
    """What flows into the probabilities.

    Args:
        gradient: [..., T_q, T_k] dA and its error.
        terms: [..., T_q, T_k] the sum of the magnitudes that dA is a product of, and what their operands may be off;
            None where no output has an upstream.
        upstream: [..., T_q, 1] the sum of the magnitudes of the output's upstream.
        width: how many values the output has.
    """

    gradient: Bounded
    terms: Bounded | None = None
    upstream: FloatArray | float = 0.0
    width: int = 0


def score_gradients(softmax: SoftmaxBound, sent: Sent, rounding: Rounding) -> Bounded:
    """Bound A (dA - c), with c as a sum of A dA or of output and upstream, subtracted before or after the product."""
    visible, p = softmax.visible, softmax.value
    value, error = (np.where(visible, array, 0.0) for array in (sent.gradient.value, sent.gradient.error))
    reach = np.abs(value) + error
    shared = (p * value).sum(axis=-1, keepdims=True)  # c
    centred = np.where(visible, value - shared, 0.0)
    c = rounding.stored(Bounded(shared, _row_term(softmax, Bounded(value, error), np.abs(centred), sent, rounding)))
    changed = softmax.remade.error
    parts = reach + c.reach  # of the difference
    lost = (
        p * rounding.lost(Bounded(centred, error + c.error))
        + rounding.lost(Bounded(p * value, changed * reach + p * error))
        + rounding.lost(Bounded(p * c.value, changed * c.reach + p * c.error))
    )
    wrong = (
        changed * (np.abs(centred) + error + c.error)
        + p * (error + c.error)
        + rounding.gamma(2) * (p + changed) * parts
        + lost
    )
    wrong = unknown_where(parts * (1.0 + rounding.gamma(1)) > rounding.largest, wrong)
    result = rounding.stored(Bounded(p * centred, wrong))
    return Bounded(result.value, np.where(visible, result.error, 0.0))


def _row_term(
    softmax: SoftmaxBound, gradient: Bounded, centred: FloatArray, sent: Sent, rounding: Rounding
) -> FloatArray:
    """Return the error of c: what moved weights do to it, and the roundings of its longer way."""
    error = _of_products(softmax.alike, gradient, rounding)
    if sent.terms is not None:
        terms = Bounded(*(np.where(softmax.visible, array, 0.0) for array in (sent.terms.value, sent.terms.error)))
        error = np.maximum(error, _of_output(softmax.kept, sent, terms, rounding))
    moved = _along(softmax.kept.moved * centred)
    furthest = centred.max(axis=-1, initial=0.0, keepdims=True)  # a mean of dA
    moved = np.where(np.isfinite(moved), np.minimum(moved, furthest), np.inf) * (1.0 + softmax.alike.common)
    c = np.abs(_along(softmax.value * gradient.value))
    return np.asarray(moved + np.maximum(softmax.alike.common, softmax.kept.common) * c + error)


def _of_products(weights: Weights, gradient: Bounded, rounding: Rounding) -> FloatArray:
    """Return what roundings do to c as the sum of A dA."""
    keys = weights.value.shape[-1]
    whole = _along(weights.reach * gradient.reach)
    terms = Bounded(weights.value * gradient.value, weights.error * gradient.reach + weights.value * gradient.error)
    carried = _along(weights.own * gradient.reach + weights.reach * gradient.error + rounding.lost(terms))
    error = carried + rounding.summed(keys, 1) * whole + rounding.flushed(2 * keys, whole)
    return unknown_where(whole * (1.0 + rounding.inside.gamma(keys)) > rounding.inside.largest, error)


def _of_output(weights: Weights, sent: Sent, terms: Bounded, rounding: Rounding) -> FloatArray:
    """Return what roundings do to c as the sum of output times upstream."""
    keys = weights.value.shape[-1]
    whole = _along(weights.reach * terms.value)
    rounded = together(rounding.summed(keys), rounding.summed(sent.width)) * whole
    flushed = np.minimum((3 * keys * rounding.inside.tiny + rounding.tiny) * sent.upstream, whole)
    carried = _along(weights.own * terms.value + weights.reach * terms.error)
    error = carried + rounded + flushed + rounding.flushed(2 * sent.width, whole)
    return unknown_where(whole * (1.0 + rounding.inside.gamma(keys + sent.width)) > rounding.inside.largest, error)


def _along(row: FloatArray) -> FloatArray:
    """Add over the keys of a row."""
    return np.asarray(row.sum(axis=-1, keepdims=True))
