"""Attention in deliberately bad arithmetic: every admitted freedom taken at random, every step rounded at random.

A unit of 2^-20 in binary64 makes the errors large enough to be seen, and the arithmetic below exact beside them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Sloppy:
    """A head that rounds every result by up to `unit`, and takes the freedoms that conformance.16 admits."""

    def __init__(self, generator: np.random.Generator, unit: float) -> None:
        self.generator = generator
        self.unit = unit
        self.extreme = bool(generator.integers(2))
        self.fused = bool(generator.integers(2))
        self.place = str(generator.choice(["scores", "divide", "query", "key", "half", "powers of two"]))
        self.online = bool(generator.integers(2))
        self.recompute = bool(generator.integers(2))
        self.c_of_output = bool(generator.integers(2))
        self.product_first = bool(generator.integers(2))

    def round(self, exact: FloatArray, units: float = 1.0) -> FloatArray:
        """Return the values with a relative error of up to so many units: anywhere, or always at the end."""
        error = self.generator.uniform(-1.0, 1.0, np.shape(exact))
        return np.asarray(exact * (1.0 + units * self.unit * (np.sign(error) if self.extreme else error)))

    def exp(self, exponent: FloatArray) -> FloatArray:
        """Return exponentials within 2 ulps, exactly 1 at 0."""
        return np.where(exponent == 0.0, 1.0, self.round(np.exp(exponent), 4.0))

    def product(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Multiply matrices in a random order of the sums."""
        total = np.zeros((*left.shape[:-1], right.shape[-1]))
        for inner in self.generator.permutation(left.shape[-1]):
            term = left[..., inner, None] * right[..., inner, None, :]
            total = self.add(total, term if self.fused else self.round(term))
        return total

    def add(self, total: FloatArray, term: FloatArray) -> FloatArray:
        """Add and round; a zero is added without an error."""
        return np.where(term == 0.0, total, np.where(total == 0.0, term, self.round(total + term)))

    def sum(self, values: FloatArray) -> FloatArray:
        """Add over the last axis in a random order."""
        total = np.zeros(values.shape[:-1])
        for index in self.generator.permutation(values.shape[-1]):
            total = self.add(total, values[..., index])
        return total

    def scores(self, query: FloatArray, key: FloatArray) -> FloatArray:
        """Return scaled scores, the scale in one of its places."""
        turned = np.swapaxes(key, -1, -2)
        root = self.round(np.sqrt(np.float64(query.shape[-1])))
        scale = self.round(1.0 / root)
        if self.place == "divide":
            return self.round(self.product(query, turned) / root)
        if self.place == "query":
            return self.product(self.round(query * scale), turned)
        if self.place == "key":
            return self.product(query, self.round(turned * scale))
        if self.place == "half":
            half = self.round(1.0 / self.round(np.sqrt(root)))
            return self.product(self.round(query * half), self.round(turned * half))
        if self.place == "powers of two":
            binary = self.round(scale * self.round(np.log2(np.e)))
            return np.asarray(self.product(self.round(query * binary), turned) * np.log(2.0))
        return self.round(self.product(query, turned) * scale)

    def softmax(self, scores: FloatArray, visible: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
        """Return weights before division, and their sum, in one pass or in two."""
        shown = np.where(visible, scores, -np.inf)
        if not self.online:
            weights = self.exp(self.round(shown - shown.max(axis=-1, keepdims=True)))
            return weights, self.sum(weights)[..., None]
        weights, total = np.zeros(scores.shape), np.zeros((*scores.shape[:-1], 1))
        largest = np.full(total.shape, -np.inf)
        for column in range(scores.shape[-1]):
            score = shown[..., column, None]
            above = np.maximum(largest, score)
            shrink = np.where(
                np.isfinite(largest), self.exp(self.round(np.where(largest == above, 0.0, largest - above))), 0.0
            )
            weight = np.where(
                np.isfinite(score), self.exp(self.round(np.where(score == above, 0.0, score - above))), 0.0
            )
            weights = np.where(shrink == 1.0, weights, self.round(weights * shrink))
            total = self.add(np.where(shrink == 1.0, total, self.round(total * shrink)), weight)
            weights[..., column] = weight[..., 0]
            largest = above
        return weights, total

    def answer(
        self, inputs: Mapping[str, FloatArray], upstream: FloatArray, visible: NDArray[np.bool_]
    ) -> dict[str, FloatArray]:
        """Return output, probabilities, scores and gradients of a head with an upstream for its output."""
        query, key, value = (inputs[name] for name in ("query", "key", "value"))
        scores = self.scores(query, key)
        weights, total = self.softmax(scores, visible)
        probabilities = self.round(weights / total)
        output = self.product(probabilities, value)
        if self.online:
            output = self.round(self.product(weights, value) / total)
        given = probabilities
        if self.recompute:
            largest = np.where(visible, scores, -np.inf).max(axis=-1, keepdims=True)
            near = np.where(visible, self.exp(np.where(visible, self.round(scores - largest), 0.0)), 0.0)
            logarithm = self.round(largest + self.round(np.log(self.sum(near)[..., None])))
            given = np.where(visible, self.exp(np.where(visible, self.round(scores - logarithm), 0.0)), 0.0)
        sent = self.product(upstream, np.swapaxes(value, -1, -2))
        shared = (self.sum(self.round(upstream * output)) if self.c_of_output else self.sum(self.round(given * sent)))[
            ..., None
        ]
        if self.product_first:
            towards = self.round(self.round(given * sent) - self.round(given * shared))
        else:
            towards = self.round(given * self.round(sent - shared))
        scale = self.round(1.0 / self.round(np.sqrt(np.float64(query.shape[-1]))))
        raw = self.round(towards * scale)
        return {
            "scaled_scores": scores,
            "probabilities": probabilities,
            "output": output,
            "gradients.query": self.product(raw, key),
            "gradients.key": self.product(np.swapaxes(raw, -1, -2), query),
            "gradients.value": self.product(np.swapaxes(given, -1, -2), upstream),
        }
