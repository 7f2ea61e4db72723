"""The truths that a judge compares with, each with its error bounds, kept as long as there is room (conformance)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping

import numpy as np

from attnspec.conformance.error_bounds import error_bounds
from attnspec.conformance.narrow import rounded_request
from attnspec.conformance.rounding import FloatArray, Rounding
from attnspec.corpus.request import Answered, Reply, Request
from attnspec.corpus.values import inputs_sha256
from attnspec.numeric.formats import FloatFormat

Truth = Callable[[Request], Reply]
Known = tuple[Answered, Mapping[str, FloatArray]]
"""The truth of a request, and its error bounds by full name."""

MOST_ELEMENTS = 2**25
"""Of the truths that are kept, with their bounds: 256 MiB, as much as one causal head over 2,048 tokens has."""


class KnownTruths:
    """Asks for a truth once, or again where it had to make room for others.

    Args:
        truth: who knows.
        rounding: what the bounds admit.
        form: the type that is asked for; the truth is that of inputs rounded to it.
        most: how many requests' truths are kept.
    """

    def __init__(self, truth: Truth, rounding: Rounding, form: FloatFormat, most: int) -> None:
        self._truth = truth
        self._rounding = rounding
        self._form = form
        self._most = most
        self._known: OrderedDict[str, Known | str] = OrderedDict()
        self._judged: set[str] = set()

    def about(self, request: Request) -> Known | str:
        """Return the truth of a request, or why there is none to compare with."""
        return self._found(request, inputs_sha256(request))

    def verified(self, request: Request, doubt: Callable[[Answered], str]) -> Known | str:
        """Return the truth of a request, or what speaks against it; `doubt` is asked once for a truth that is kept."""
        key = inputs_sha256(request)
        known = self._found(request, key)  # maybe known from another case's law already
        if not isinstance(known, str) and key not in self._judged:
            self._judged.add(key)
            self._known[key] = doubt(known[0]) or known
        return self._known[key]

    def _found(self, request: Request, key: str) -> Known | str:
        if key not in self._known:
            given = rounded_request(request, self._form)
            truth = self._truth(given)
            if isinstance(truth, Answered):
                self._known[key] = (truth, error_bounds(given, truth, self._rounding))
            else:
                self._known[key] = f"there is no truth to compare with: {truth}"
            self._make_room()
        return self._known[key]

    def _make_room(self) -> None:
        """Let the oldest truths go, down to the newest where it is large."""
        while len(self._known) > self._most or (
            len(self._known) > 1 and sum(map(_elements, self._known.values())) > MOST_ELEMENTS
        ):
            forgotten, _ = self._known.popitem(last=False)
            self._judged.discard(forgotten)


def _elements(known: Known | str) -> int:
    """Return how many elements a truth has with its bounds."""
    if isinstance(known, str):
        return 0
    truth, bounds = known
    values = (*truth.outputs.values(), *truth.gradients.values(), *bounds.values())
    return sum(value.size for value in values if isinstance(value, np.ndarray))
