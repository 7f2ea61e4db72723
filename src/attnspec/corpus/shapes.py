"""The named sizes of an operation, inferred from a fixture's tensors and held against each other (fixture_format)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attnspec.corpus.request import Value
from attnspec.corpus.vocabulary import Kind, Operation

LEADING = "..."
Shape = tuple[int, ...]


class Sizes:
    """What each named size is, and which tensor said so first."""

    def __init__(self, operation: Operation, inputs: Mapping[str, Value]) -> None:
        self._operation = operation
        self._inputs = inputs
        self._known: dict[str, tuple[int | Shape, str]] = {
            name: (value, f"inputs.{name}")  # a size that is the name of an integer input takes its value
            for name, value in inputs.items()
            if isinstance(value, int) and not isinstance(value, bool)
        }

    def __getitem__(self, name: str) -> int | None:
        size, _ = self._known.get(name, (None, ""))
        return size if isinstance(size, int) else None

    @property
    def has_batch(self) -> bool:
        """Whether some axis is a batch: B, or a leading one."""
        leading, _ = self._known.get(LEADING, ((), ""))
        return "B" in self._known or bool(leading)

    def disagreement(self, kind: Kind, shape: Shape, where: str) -> str | None:
        """Say how a shape disagrees with the vocabulary or with the sizes known so far; learn from it otherwise."""
        assert kind.sizes is not None
        named = _named(kind.sizes, shape)
        if named is None:
            return f"shape {list(shape)} is not of the form [{', '.join(kind.sizes)}]"
        differing = []
        for name, size in named:
            known, first = self._known.setdefault(name, (size, where))
            if size != known:
                differing.append(f"{_shown(name)} is {_plain(size)} here and {_plain(known)} in {first}")
        return f"shape {list(shape)}: {', '.join(dict.fromkeys(differing))}" if differing else None

    def shape(self, kind: Kind) -> Shape | None:
        """The shape of a tensor, where every size of it is known."""
        shape: list[int] = []
        for name in kind.sizes or ():
            size, _ = self._known.get(name, (None, ""))
            if size is None:
                return None
            shape.extend(size if isinstance(size, tuple) else (size,))
        return tuple(shape)

    def shape_of(self, name: str) -> Shape | None:
        """The shape of an output, of `gradients.<input>`, or of `loss`, where it is known."""
        if name == "loss":
            return ()
        gradient_of = name.removeprefix("gradients.")
        if gradient_of == name:
            return self.shape(self._operation.outputs[name])
        value = self._inputs.get(gradient_of)
        return value.shape if isinstance(value, np.ndarray) else None


def output_shapes(operation: Operation, inputs: Mapping[str, Value]) -> dict[str, Shape]:
    """Return the shape that each output has for accepted inputs."""
    sizes = Sizes(operation, inputs)
    for given, kind in operation.inputs.items():
        value = inputs[given]
        if kind.is_tensor and isinstance(value, np.ndarray):
            sizes.disagreement(kind, value.shape, given)
    return {name: sizes.shape_of(name) or () for name in operation.outputs}


def _named(sizes: tuple[str, ...], shape: Shape) -> list[tuple[str, int | Shape]] | None:
    if LEADING not in sizes:
        return list(zip(sizes, shape, strict=True)) if len(sizes) == len(shape) else None
    leading = len(shape) - (len(sizes) - 1)
    if leading < 0:
        return None
    return [(LEADING, shape[:leading]), *zip(sizes[1:], shape[leading:], strict=True)]


def _shown(name: str) -> str:
    return "the leading shape" if name == LEADING else name


def _plain(size: int | Shape) -> int | list[int]:
    return list(size) if isinstance(size, tuple) else size
