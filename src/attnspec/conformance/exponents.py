"""The exponents of a row of scores: how wrong they may be, and how far that moves the probabilities (conformance).

Wrong exponents move weight between the keys of a row and leave its sum at one, so a dominant key hides errors
that would move a close race.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.rounding import BINARY64, Bounded, FloatArray, Rounding

NOTHING = -1075 * float(np.log(2.0))  # the exponential of less rounds to zero in binary64, and in narrower types
LARGEST_EXPONENT = 600.0  # beside a weight that is e^600 times too large, the others are nothing in binary64


@dataclass(frozen=True)
class Row:
    """Weights relative to the largest, their exponents, and what may be wrong with these; [..., T_q, T_k] or 1.

    Args:
        probability: the weights over their sum.
        weight: 1 at the maximum, 0 where blocked.
        total: the sum of the weights.
        count: of visible keys.
        rescalings: how often, at most, a running maximum changes.
        largest: the maximum of the scores.
        wrong: the largest error of a score.
        distance: of each score from the maximum; infinite where blocked.
        rounded: the error of an exponent, and of its exponential as a part of the weight.
        off: the same, with the error of the score.
        alone: which key is the maximum whatever the errors are: its exponent is zero.
        visible: which keys count.
    """

    probability: FloatArray
    weight: FloatArray
    total: FloatArray
    count: FloatArray
    rescalings: FloatArray
    largest: FloatArray
    wrong: FloatArray
    distance: FloatArray
    rounded: FloatArray
    off: FloatArray
    alone: NDArray[np.bool_]
    visible: NDArray[np.bool_]

    def moved(self) -> FloatArray:
        """Return the furthest that any p can be from its place, every exponent within its error."""
        p, grown, shrunk, gained, fallen = self._extremes()
        up = _ratio(gained * _others(p) + p * _others(fallen), grown + _others(shrunk))
        down = _ratio(fallen * _others(p) + p * _others(gained), shrunk + _others(grown))
        return np.maximum(up, down)

    def moved_alone(self) -> FloatArray:
        """Return the same where the weight and its share of the sum are off each in its own way."""
        p, grown, shrunk, gained, fallen = self._extremes()
        up = _ratio(gained + p * fallen.sum(axis=-1, keepdims=True), shrunk.sum(axis=-1, keepdims=True))
        down = _ratio(fallen + p * gained.sum(axis=-1, keepdims=True), grown.sum(axis=-1, keepdims=True))
        return np.maximum(up, down)

    def sum_apart(self, moved: FloatArray) -> FloatArray:
        """Return the relative error of a sum whose weights are not those that are divided by it."""
        most = np.expm1(np.max(self.rounded, axis=-1, keepdims=True))
        mean = ((self.probability + moved) * np.expm1(self.rounded)).sum(axis=-1, keepdims=True)
        return np.asarray(np.where(mean < 1.0, np.minimum(mean / (1.0 - mean), most), most))

    def lost(self, rounding: Rounding) -> FloatArray:
        """Return what weights near the least normal number lose: all in a flush, a part of a step at each rescaling."""
        lost = rounding.lost(Bounded(self.weight, self.weight * np.expm1(self.off)))
        steps = self.rescalings * rounding.inside.tiny * rounding.inside.unit
        return np.where(self.visible, lost + steps, 0.0)

    def logarithm(self, rounding: Rounding) -> FloatArray:
        """Return what the logarithm of the sum makes an exponent wrong by, that of the score and its distance apart.

        It is between the maximum and `beyond` more. 2 ulps of its own and the addition are rounded as sums are, the
        rest of the subtraction as results are, and a change of base is either before the subtraction or after it.
        """
        beyond = np.log(np.maximum(self.count, 1.0))
        size = np.abs(self.largest) + self.wrong + beyond
        sums, results = rounding.inside.unit, rounding.unit
        return np.asarray(sums * (4 * beyond + size) + results * beyond + 2 * np.maximum(sums * size, results * beyond))

    def _extremes(self) -> tuple[FloatArray, ...]:
        """Return p, p exp(e), p exp(-e), p (exp(e) - 1), p (1 - exp(-e))."""
        p = self.probability
        grown = np.exp(np.minimum(self.off - self.distance, LARGEST_EXPONENT)) / self.total
        shrunk = np.exp(-self.off - self.distance) / self.total
        gained = np.where(self.off < 1.0, p * np.expm1(np.minimum(self.off, 1.0)), grown - p)
        return p, grown, shrunk, gained, p * -np.expm1(-self.off)


def row_of(scores: Bounded, visible: NDArray[np.bool_], rounding: Rounding) -> Row:
    """Return the rows of scores that are off by `scores.error`."""
    count = visible.sum(axis=-1, keepdims=True).astype(np.float64)
    largest = np.max(scores.value, axis=-1, where=visible, initial=-np.inf, keepdims=True)
    wrong = np.max(scores.error, axis=-1, where=visible, initial=0.0, keepdims=True)
    rescalings = _records(scores, visible)
    alone = _sole_maximum(scores, visible)
    below = np.minimum(largest - scores.value, BINARY64.largest / 2)  # and half of it for what may be wrong
    near = Bounded(np.where(visible, below, 0.0), np.where(visible, scores.error + wrong, 0.0))
    one = 3 * rounding.unit * near.reach + rounding.lost(near) + rounding.exponential  # subtraction, change of base
    rescaled = rescalings / 2 * (rounding.inside.exponential + rounding.inside.tiny)  # common to all keys before
    rounded = np.where(alone, 0.0, one) + rescaled
    off = scores.error + rounded
    counts = visible & ~(off - near.value < NOTHING)
    distance = np.where(counts, near.value, np.inf)
    off, rounded = (np.where(counts, error, 0.0) for error in (off, rounded))
    weight = np.exp(-distance)
    total = weight.sum(axis=-1, keepdims=True)
    return Row(weight / total, weight, total, count, rescalings, largest, wrong, distance, rounded, off, alone, visible)


def _sole_maximum(scores: Bounded, visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which keys no other can reach."""
    lowest, highest = _ends(scores, visible)
    keys = np.arange(highest.shape[-1])
    first = np.argmax(highest, axis=-1, keepdims=True)
    second = np.max(np.where(keys == first, -np.inf, highest), axis=-1, keepdims=True)
    return np.asarray(visible & (keys == first) & (lowest > second))


def _records(scores: Bounded, visible: NDArray[np.bool_]) -> FloatArray:
    """Return how often, at most, a running maximum may change along the row, read from either end."""
    lowest, highest = _ends(scores, visible)
    counts = []
    for step in (1, -1):
        high, low = highest[..., ::step], np.maximum.accumulate(lowest[..., ::step], axis=-1)
        is_first = ~np.isfinite(low[..., :-1])
        counts.append(((high[..., 1:] > low[..., :-1]) & ~is_first).sum(axis=-1, keepdims=True))
    return np.asarray(np.maximum(*counts), dtype=np.float64)


def _ends(scores: Bounded, visible: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the greatest that a score may be."""
    lowest = np.maximum(scores.value - scores.error, -BINARY64.largest)
    return np.where(visible, lowest, -np.inf), np.where(visible, scores.value + scores.error, -np.inf)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return np.where(above > 0.0, above / below, 0.0)


def _others(values: FloatArray) -> FloatArray:
    """Return the sum over the other cells of a row, without subtracting."""
    before = np.cumsum(values, axis=-1)
    after = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    others = np.zeros(values.shape)
    others[..., 1:] += before[..., :-1]
    others[..., :-1] += after[..., 1:]
    return others
