"""Attention in deliberately bad arithmetic: every admitted freedom taken at random, every step rounded.

What rounds is an `Arithmetic`: at random in binary64, by units so large that the arithmetic beneath is exact beside
them, or a real type of NumPy's, which rounds by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from arithmetics import AnyArray, Arithmetic

FloatArray = NDArray[np.float64]
PLACES = ("scores", "divide", "query", "key", "half", "powers of two", "half of two")


class Sloppy:
    """A head that rounds every result, and takes the freedoms that conformance.16 admits."""

    def __init__(self, generator: np.random.Generator, arithmetic: Arithmetic) -> None:
        self.generator = generator
        self.of = arithmetic
        self.place = str(generator.choice(PLACES))
        (
            self.fused,
            self.online,
            self.again,  # the weights computed again, beside the maximum that one pass over the keys has found
            self.divides_last,
            self.by_reciprocal,
            self.remakes,
            self.remakes_scores,
            self.by_output,
            self.product_first,
            self.scales_gradient_last,
            self.wide_weights,
            self.stores_sum,
        ) = (bool(flag) for flag in generator.integers(2, size=12))
        self.in_base_2 = self.place in ("powers of two", "half of two")

    def product(self, left: AnyArray, right: AnyArray) -> AnyArray:
        """Multiply matrices in a random order of the sums."""
        return self.of.stored(self._summed(left, right))

    def _summed(self, left: AnyArray, right: AnyArray) -> AnyArray:
        left, right = self.of.wide(left), self.of.wide(right)
        total = np.zeros((*left.shape[:-1], right.shape[-1]), dtype=left.dtype)
        for inner in self.generator.permutation(left.shape[-1]):
            term = left[..., inner, None] * right[..., inner, None, :]
            total = self.add(total, term if self.fused else self.of.inside(term))
        return total

    def add(self, total: AnyArray, term: AnyArray) -> AnyArray:
        """Add and round; a zero is added without an error."""
        return np.where(term == 0, total, np.where(total == 0, term, self.of.inside(total + term)))

    def sum(self, values: AnyArray) -> AnyArray:
        """Add over the last axis in a random order, and keep the axis; the sum stays as wide as sums are."""
        values = self.of.wide(values)
        total = np.zeros(values.shape[:-1], dtype=values.dtype)
        for index in self.generator.permutation(values.shape[-1]):
            total = self.add(total, values[..., index])
        return total[..., None]

    def scale(self, width: int, of: float = 1.0) -> AnyArray:
        """Return of / sqrt(width), rounded at every step."""
        return self.of.result(self.of.number(of) / self.root(width))

    def root(self, width: int) -> AnyArray:
        return self.of.result(np.sqrt(self.of.number(width)))

    def scores(self, query: AnyArray, key: AnyArray) -> AnyArray:
        """Return scaled scores, the scale in one of its places; the base of their exponential may be two."""
        of, width = self.of, query.shape[-1]
        turned = np.swapaxes(key, -1, -2)
        scale = self.scale(width)
        binary = of.result(scale * of.number(np.log2(np.e)))
        if self.place == "divide":
            return of.result(self.product(query, turned) / self.root(width))
        if self.place == "query":
            return self.product(of.result(query * scale), turned)
        if self.place == "key":
            return self.product(query, of.result(turned * scale))
        if self.place == "half":
            half = of.result(of.number(1.0) / of.result(np.sqrt(self.root(width))))
            return self.product(of.result(query * half), of.result(turned * half))
        if self.place == "powers of two":
            return self.product(of.result(query * binary), turned)
        if self.place == "half of two":
            half = of.result(np.sqrt(binary))
            return self.product(of.result(query * half), of.result(turned * half))
        return of.result(self.product(query, turned) * scale)

    def softmax(self, scores: AnyArray, visible: NDArray[np.bool_]) -> tuple[AnyArray, AnyArray]:
        """Return weights before division, and their sum, in one pass or in two; both as wide as sums are."""
        shown = np.where(visible, scores, scores.dtype.type(-np.inf))
        highest = shown.max(axis=-1, keepdims=True)
        weights = self._weights(shown, highest)
        if not self.online:
            return weights, self.sum(weights)
        passed, total = self._in_one_pass(shown)
        return (weights if self.again else passed), total

    def _weights(self, shown: AnyArray, highest: AnyArray) -> AnyArray:
        """Return exponentials of differences, computed as results are or as sums are."""
        of = self.of
        if self.wide_weights:
            return of.exp_inside(self.exponential, of.inside(self._difference(of.wide(shown), of.wide(highest))))
        return of.wide(of.exp(self.exponential, of.result(self._difference(shown, highest))))

    @staticmethod
    def _difference(scores: AnyArray, largest: AnyArray) -> AnyArray:
        """Subtract, and leave what is blocked; a maximum subtracted from itself is zero."""
        with np.errstate(invalid="ignore"):
            difference = np.where(np.isfinite(scores), scores - largest, scores)
        return difference.astype(scores.dtype)

    def exponential(self, exponent: AnyArray) -> AnyArray:
        return np.asarray(np.exp2(exponent) if self.in_base_2 else np.exp(exponent))

    def logarithm(self, values: AnyArray) -> AnyArray:
        return self.of.inside(np.log2(values) if self.in_base_2 else np.log(values))

    def _in_one_pass(self, shown: AnyArray) -> tuple[AnyArray, AnyArray]:
        of, wide = self.of, self.of.wide(shown)
        weights, total = np.zeros_like(wide), np.zeros_like(wide[..., :1])
        largest = np.full_like(total, -np.inf)
        keys = range(shown.shape[-1]) if self.fused else reversed(range(shown.shape[-1]))
        for column in keys:
            score = wide[..., column, None]
            above = np.maximum(largest, score)
            with np.errstate(invalid="ignore"):
                fall = np.where(largest == above, 0, of.inside(largest - above)).astype(wide.dtype)
            shrink = of.exp_inside(self.exponential, fall)
            weight = self._weights(shown[..., column, None], above.astype(shown.dtype))
            weight = np.where(np.isfinite(score), weight, 0).astype(wide.dtype)
            kept = np.where(np.isfinite(largest) & (shrink != 1), of.inside(weights * shrink), weights)
            rescaled = np.where(np.isfinite(largest) & (shrink != 1), of.inside(total * shrink), total)
            weights, total, largest = kept, self.add(rescaled, weight), above
            weights[..., column] = weight[..., 0]
        return weights, total

    def divided(self, values: AnyArray, total: AnyArray) -> AnyArray:
        if self.by_reciprocal:
            return self.of.result(values * self.of.result(self.of.number(1.0) / total))
        return self.of.result(values / total)

    def answer(
        self, inputs: Mapping[str, AnyArray], upstream: AnyArray, visible: NDArray[np.bool_]
    ) -> dict[str, AnyArray]:
        """Return output, probabilities, scores and gradients of a head with an upstream for its output."""
        of = self.of
        query, key, value = (of.taken(inputs[name]) for name in ("query", "key", "value"))
        upstream = of.taken(upstream)
        scores = self.scores(query, key)
        weights, total = self.softmax(scores, visible)
        total = of.stored(total) if self.stores_sum else total
        probabilities = self.divided(weights, total)
        output = self.product(probabilities, value)
        if self.divides_last:
            output = self.divided(self._summed(of.stored(weights), value), total)
        given = self.made_again(query, key, scores, visible) if self.remakes else probabilities
        sent = self.product(upstream, np.swapaxes(value, -1, -2))
        sent = np.where(visible, sent, 0).astype(sent.dtype)  # what overflows behind the mask stays there
        if self.by_output or (self.remakes and self.remakes_scores):
            shared = of.stored(self.sum(of.inside(of.wide(upstream) * of.wide(output))))
        else:
            shared = of.stored(self.sum(of.result(given * sent)))
        if self.product_first:
            towards = of.result(of.result(given * sent) - of.result(given * shared))
        else:
            towards = of.result(given * of.result(sent - shared))
        towards = np.where(visible, towards, 0).astype(towards.dtype)
        turned = np.swapaxes(towards, -1, -2)
        return {
            "scaled_scores": scores.astype(np.float64) * (np.log(2.0) if self.in_base_2 else 1.0),
            "probabilities": probabilities,
            "row_sums.probabilities": probabilities.astype(np.float64).sum(axis=-1),
            "output": output,
            "gradients.query": self.scaled_product(towards, key),
            "gradients.key": self.scaled_product(turned, query),
            "gradients.value": self.product(np.swapaxes(given, -1, -2), upstream),
        }

    def scaled_product(self, towards: AnyArray, operand: AnyArray) -> AnyArray:
        """Multiply the gradient of the scaled scores with query or key, and with the scale first, last or between."""
        of, scale = self.of, self.scale(operand.shape[-1])
        if self.scales_gradient_last:
            return of.result(self.product(towards, operand) * scale)
        if self.place in ("query", "key"):
            return self.product(towards, of.result(operand * scale))
        if self.place == "half":
            half = of.result(np.sqrt(scale))
            return of.result(self.product(towards, of.result(operand * half)) * half)
        return self.product(of.result(towards * scale), operand)

    def made_again(self, query: AnyArray, key: AnyArray, scores: AnyArray, visible: NDArray[np.bool_]) -> AnyArray:
        """Return probabilities from the logarithm of the sum, and from scores that may be computed again."""
        of = self.of
        shown = np.where(visible, scores, scores.dtype.type(-np.inf))
        largest = shown.max(axis=-1, keepdims=True)
        total = self.softmax(scores, visible)[1] if self.again else self.sum(self._weights(shown, largest))
        logarithm = of.inside(of.wide(largest) + self.logarithm(total))
        if self.remakes_scores:
            shown = np.where(visible, self.scores(query, key), scores.dtype.type(-np.inf))
        with np.errstate(invalid="ignore"):
            exponent = of.inside(np.where(visible, of.wide(shown) - logarithm, -np.inf).astype(logarithm.dtype))
        return np.where(visible, of.stored(of.exp_inside(self.exponential, exponent)), 0).astype(scores.dtype)
