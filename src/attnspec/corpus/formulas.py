"""Tensors by formula, and the forms that an input or an upstream may take (fixture_format)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attnspec.corpus import tensors
from attnspec.corpus.entries import Choice, EntryFault, Form, Items
from attnspec.corpus.forms import COUNTS, NUMBER, VALUE, WORD, inside
from attnspec.corpus.model import Model, field
from attnspec.corpus.nodes import MappingNode, Node
from attnspec.corpus.request import Array, Value

LARGEST = 1 << 24  # elements of a tensor written by formula
_RANGE = "low and high must be finite, and their difference too"


def _is_bound(value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(_RANGE)


def _is_size(shape: tuple[int, ...]) -> None:
    if math.prod(shape) > LARGEST:
        raise ValueError(f"{math.prod(shape)} elements, of {LARGEST} at most")


class Draws(Model):
    """One draw of the generator per element, row-major: low + (high - low) * u."""

    seed: int = field(WORD)
    shape: tuple[int, ...] = field(COUNTS.only(_is_size))
    low: float = field(NUMBER.only(_is_bound))
    high: float = field(NUMBER.only(_is_bound))

    def faults(self) -> Iterator[EntryFault]:
        if not math.isfinite(self.high - self.low):
            yield EntryFault(("high",), _RANGE)

    def array(self) -> Array:
        from attnspec.numeric.splitmix64 import units

        return self.low + (self.high - self.low) * units(self.seed, math.prod(self.shape)).reshape(self.shape)


class Placed(Model):
    """One element and its value."""

    at: tuple[int, ...] = field(COUNTS)
    value: float = field(NUMBER)


class Formula(Model):
    """A tensor by formula, with single elements written over it."""

    splitmix64: Draws = field(Draws)
    scatter: tuple[Placed, ...] = field(Items(Placed), default=())

    def faults(self) -> Iterator[EntryFault]:
        shape = self.splitmix64.shape
        for index, placed in enumerate(self.scatter):
            if len(placed.at) != len(shape) or not inside(placed.at, shape):
                message = f"{list(placed.at)} is no element of shape {list(shape)}"
                yield EntryFault(("scatter",), message, (index, "at"))

    def array(self) -> Array:
        array = self.splitmix64.array()
        for placed in self.scatter:
            array[placed.at] = placed.value
        return tensors.read_only(array)


class Empty(Model):
    """A tensor without elements."""

    shape: tuple[int, ...] = field(COUNTS)

    def faults(self) -> Iterator[EntryFault]:
        if 0 not in self.shape:
            message = f"shape {list(self.shape)} has elements: write them; a shape alone is for a tensor without any"
            yield EntryFault((), message, ("shape",))

    def array(self) -> Array:
        return tensors.read_only(np.empty(self.shape))


def _input_form(node: Node) -> Form[Formula | Empty | Value]:
    keys = node if isinstance(node, MappingNode) else ()
    return Formula if "splitmix64" in keys else Empty if "shape" in keys else VALUE


INPUT: Form[Formula | Empty | Value] = Choice(_input_form, Formula, Empty, VALUE)
