"""How far an admitted softmax over visible cells, forward and backward, may be off (conformance).

An error e of each score turns p_j into p_j / (1 + x_j) with x_j = sum over the others of
p_l (exp(e_l - e_j) - 1): so a dominant key hides errors that would move a close race. Roundings of the
sum and the division come on top, relative to the probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, unknown_where

FAR = 2000.0  # a score this far below the maximum has the weight zero in every dtype


@dataclass(frozen=True)
class SoftmaxBound:
    """Probabilities, what wrong scores can do to them, and the roundings of sum and division.

    Args:
        value: [..., T_q, T_k] probabilities, zero where blocked.
        moved: how far wrong scores and exponentials may move each; rows still sum to one.
        rounded: [..., T_q, 1] relative error of the normalisation.
        recomputed: [..., T_q, 1] the same when probabilities are made again from the logarithm of the sum.
        lost: absolute loss by underflow.
        visible: [..., T_q, T_k]; blocked cells are exactly zero.
    """

    value: FloatArray
    moved: FloatArray
    rounded: FloatArray
    recomputed: FloatArray
    lost: float
    visible: NDArray[np.bool_]

    def bounded(self, relative: FloatArray) -> Bounded:
        """Return the probabilities with their whole error; more than 1 says nothing."""
        error = self.moved + relative * (self.value + self.moved) + self.lost * self.visible
        return Bounded(self.value, unknown_where(error >= 1.0, error))


def softmax_bound(scores: Bounded, visible: NDArray[np.bool_], rounding: Rounding) -> SoftmaxBound:
    """Bound the probabilities of scores that are off by `scores.error`, by any admitted softmax."""
    visible = np.broadcast_to(visible, scores.value.shape)
    count = visible.sum(axis=-1, keepdims=True)
    largest = np.max(scores.value, axis=-1, where=visible, initial=-np.inf, keepdims=True)
    distance = np.where(visible, largest - scores.value, np.inf)
    spread = np.max(scores.error, axis=-1, where=visible, initial=0.0, keepdims=True)
    far = (distance > FAR) & (scores.error + spread < distance / 4)
    distance = np.where(far, np.inf, distance)
    weights = np.exp(-distance)
    total = weights.sum(axis=-1, keepdims=True)
    probability = weights / total
    rescalings = _records(scores.value, visible)
    off = np.where(far, 0.0, _exponent_errors(scores, distance, rescalings, rounding))
    moved = _moved(probability, off, distance, total)
    rounded = rounding.summed(count + 2 * rescalings, 4)
    beyond = np.log(np.maximum(count, 1)) + 2.0  # how far the logarithm of the sum may be from the maximum
    logarithm = 2 * rounding.inside.unit * (np.abs(largest) + beyond) + rounding.unit * beyond
    recomputed = rounded + np.expm1(np.minimum(logarithm, 50.0))
    lost = 4.0 * scores.value.shape[-1] * rounding.tiny
    return SoftmaxBound(probability, np.where(visible & ~far, moved, 0.0), rounded, recomputed, lost, visible)


def _exponent_errors(scores: Bounded, distance: FloatArray, rescalings: FloatArray, rounding: Rounding) -> FloatArray:
    """Return e: scores, the subtraction, the change of base, the exponential, and the rescalings of online softmax."""
    near = np.where(np.isfinite(distance), distance, 0.0)
    exponentials = rounding.exponential + rescalings * rounding.inside.exponential
    return np.asarray(scores.error + 3 * rounding.unit * near + exponentials)


def _records(scores: FloatArray, visible: NDArray[np.bool_]) -> FloatArray:
    """Return how often, at most, a running maximum changes along the row, read from either end."""
    shown = np.where(visible, scores, -np.inf)
    counts = []
    for row in (shown, shown[..., ::-1]):
        running = np.maximum.accumulate(row, axis=-1)
        counts.append((running[..., 1:] > running[..., :-1]).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(*counts), dtype=np.float64)


def _moved(probability: FloatArray, off: FloatArray, distance: FloatArray, total: FloatArray) -> FloatArray:
    grown = np.exp(off - np.where(np.isfinite(distance), distance, np.inf)) / total  # p exp(e)
    gained = np.where(off < 1.0, probability * np.expm1(np.minimum(off, 1.0)), grown)  # p (exp(e) - 1)
    own = np.expm1(off)
    reach = _others(grown)
    shift = np.where(reach > 0.0, own * reach, 0.0) + _others(gained)  # the largest |x| of each cell
    moved = np.asarray(probability * shift / (1.0 - np.minimum(shift, 0.999)))
    return unknown_where((shift >= 0.999) & (probability > 0.0), moved)


def _others(values: FloatArray) -> FloatArray:
    """Return the sum over the other cells of a row, without subtracting."""
    before = np.cumsum(values, axis=-1)
    after = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    others = np.zeros(values.shape)
    others[..., 1:] += before[..., :-1]
    others[..., :-1] += after[..., 1:]
    return others


def score_gradients(softmax: SoftmaxBound, gradient: Bounded, magnitude: FloatArray, rounding: Rounding) -> Bounded:
    """Bound A (dA - c), with c as a sum of A dA or of output and upstream, subtracted before or after the product.

    Args:
        softmax: the probabilities A.
        gradient: dA and its error.
        magnitude: the sum of the magnitudes that dA is made of.
        rounding: what is admitted.
    """
    keys = softmax.value.shape[-1]
    visible = softmax.visible
    magnitude = np.where(visible, magnitude, 0.0)
    gradient = Bounded(np.where(visible, gradient.value, 0.0), np.where(visible, gradient.error, 0.0))
    reach = softmax.value + softmax.moved
    shared = (softmax.value * gradient.value).sum(axis=-1, keepdims=True)  # c
    centred = np.where(visible, gradient.value - shared, 0.0)
    moved_sum = (softmax.moved * np.abs(centred)).sum(axis=-1, keepdims=True)
    relative = softmax.recomputed + rounding.summed(2 * keys, 8)
    rounded_sum = (reach * (relative * magnitude + gradient.error)).sum(axis=-1, keepdims=True)
    error = (
        softmax.moved * (np.abs(centred) + moved_sum)
        + softmax.value * moved_sum
        + reach * (rounded_sum + gradient.error + relative * (magnitude + np.abs(shared)))
        + softmax.lost * (1.0 + magnitude)
    )
    return Bounded(softmax.value * centred, np.where(visible, unknown_where(np.isnan(error), error), 0.0))
