"""Tensors from nested lists: one walk that finds the shape, the numbers and every fault (fixture_format)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attnspec.corpus.nodes import ListNode, Node, Steps
from attnspec.corpus.numbers import ValueFaults, kind_of, number, word
from attnspec.corpus.request import Array


def tensor(node: Node) -> Array:
    """A read-only array from nested lists, float64 or, where the vocabulary says so, uint64."""
    walk = _Walk(node)
    if walk.faults:
        raise ValueFaults(walk.faults)
    return read_only(np.array(walk.flat, dtype=walk.dtype).reshape(walk.shape))


def read_only(array: Array) -> Array:
    array.setflags(write=False)
    return array


class _Walk:
    """One pass over nested lists: the shape is that of the first list of each depth."""

    def __init__(self, node: Node) -> None:
        unsigned = node.element == "uint64"
        self.read: Callable[[Node], float] = word if unsigned else number
        self.dtype: type[np.generic] = np.uint64 if unsigned else np.float64
        self.flat: list[float] = []
        self.faults: list[tuple[Steps, str]] = []
        self.shape: list[int] = []
        first = node
        while isinstance(first, ListNode):
            self.shape.append(len(first))
            if not first:
                break
            first = first[0]
        self._enter(node, ())

    def _enter(self, node: Node, steps: Steps) -> None:
        depth = len(steps)
        if depth == len(self.shape):
            try:
                self.flat.append(self.read(node))
            except ValueError as error:
                self.faults.append((steps, str(error)))
        elif not isinstance(node, ListNode):
            self.faults.append((steps, f"ragged: {kind_of(node)} here, a list in the first list of this depth"))
        elif not node:
            self.faults.append((steps, "an empty list has no certain shape; write {shape: [...]} for the whole"))
        else:
            if len(node) != self.shape[depth]:
                counts = f"{len(node)} entries here, {self.shape[depth]} in the first list of this depth"
                self.faults.append((steps, f"ragged: {counts}"))
            for index, item in enumerate(node):
                self._enter(item, (*steps, index))
