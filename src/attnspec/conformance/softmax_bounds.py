"""How far an admitted softmax over visible cells may be off (conformance)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.exponents import row_of
from attnspec.conformance.rounding import Bounded, FloatArray, Rounding, together, unknown_where


@dataclass(frozen=True)
class Weights:
    """How far the probabilities of a row may be off.

    Args:
        value: [..., T_q, T_k] the probabilities.
        moved: [..., T_q, T_k] what wrong exponents do to them.
        common: [..., T_q, 1] the relative error that a row has in common, of its sum.
        own: [..., T_q, T_k] what each may be off besides.
    """

    value: FloatArray
    moved: FloatArray
    common: FloatArray
    own: FloatArray

    @property
    def error(self) -> FloatArray:
        with_common = np.where(self.value + self.moved > 0.0, self.common * (self.value + self.moved), 0.0)
        return np.asarray(self.moved + with_common + self.own)

    @property
    def reach(self) -> FloatArray:
        return self.value + self.error


@dataclass(frozen=True)
class SoftmaxBound:
    """Probabilities, zero where blocked, and how far they may be off.

    Args:
        value: [..., T_q, T_k] the probabilities.
        kept: those of the way forward; what is moved leaves the sum of a row at one.
        remade: those of the way back: the same, or made again from the logarithm of the sum and from scores
            that were computed again.
        alike: those made again from the same scores; what is moved leaves the sum of a row at one.
        visible: [..., T_q, T_k]; blocked cells are exactly zero.
    """

    value: FloatArray
    kept: Weights
    remade: Weights
    alike: Weights
    visible: NDArray[np.bool_]

    @property
    def row_sum(self) -> FloatArray:
        """How far the sum of a row may be from one."""
        return np.asarray(self.kept.common[..., 0] + self.kept.own.sum(axis=-1))

    @property
    def error(self) -> FloatArray:
        """The error of a probability, infinite where every number from 0 to 1 is within it."""
        says_nothing = self.kept.error >= np.maximum(self.value, 1.0 - self.value)
        return unknown_where(says_nothing & self.visible, self.kept.error)


def softmax_bound(scores: Bounded, visible: NDArray[np.bool_], rounding: Rounding) -> SoftmaxBound:
    """Bound the probabilities of scores that are off by `scores.error`, by any admitted softmax."""
    visible = np.broadcast_to(visible, scores.value.shape)
    row = row_of(scores, visible, rounding)
    lost = row.lost(rounding)
    missing = lost.sum(axis=-1, keepdims=True)
    missing = np.where(missing < 1.0, missing / (1.0 - missing), np.inf)  # the maximum alone adds one to the sum
    summed = row.count - 1 + row.rescalings
    divided = together(rounding.summed(summed, 1), missing)  # by the sum, or multiplied by its reciprocal
    subtracted = together(rounding.summed(summed), missing, np.expm1(row.logarithm(rounding)))
    either = np.maximum(divided, subtracted)
    from_sum = together(rounding.gamma(2), rounding.inside.gamma(row.rescalings))
    from_logarithm = together(rounding.gamma(1), np.where(row.alone, rounding.exponential, 0.0))  # exp(0) is not met
    moved = row.moved()
    apart, sum_apart = np.expm1(row.rounded), row.sum_apart(moved)  # of a weight that is not the one that was summed
    one_pass = row.rescalings > 0  # then it may be another

    def weights(changed: FloatArray, common: FloatArray, relative: FloatArray) -> Weights:
        changed = np.where(visible, unknown_where(~np.isfinite(row.wrong), changed), 0.0)
        reach = row.probability + changed
        own = np.where(reach > 0.0, relative * reach * (1.0 + common), 0.0) + lost
        made = Weights(row.probability, changed, common, own)
        return replace(made, own=own + visible * rounding.lost(Bounded(made.value, made.error)))

    kept = weights(moved, together(divided, sum_apart * one_pass), together(from_sum, apart * one_pass))
    remade = weights(np.maximum(moved, row.moved_alone()), either, np.maximum(from_sum, from_logarithm))
    alike = weights(moved, together(either, sum_apart), together(np.maximum(from_sum, from_logarithm), apart))
    return SoftmaxBound(row.probability, kept, remade, alike, visible)
