"""What the targets of frameworks share: tensors for arrays, and gradients as the framework finds them (conformance)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

Array = Any
Tensor = Any
Function = Callable[..., Mapping[str, Tensor]]
"""From an operation's inputs to its outputs: tensors by their names."""
Asked = Callable[..., dict[str, Array]]
"""The same with arrays, as a target has it."""
Outputs = Callable[..., list[Tensor]]

_SUFFIX = "_upstream"


@dataclass(frozen=True)
class Framework:
    """How a framework is given arrays, gives them back, and differentiates.

    Args:
        to_tensor: from an array to a tensor of the same type.
        to_array: back again.
        pull_back: from a function, the leaves to call it with, and an upstream for each tensor that it then returns,
            to a gradient for each leaf.
    """

    to_tensor: Callable[[Array], Tensor]
    to_array: Callable[[Tensor], Array]
    pull_back: Callable[[Outputs, list[Tensor], list[Tensor]], Sequence[Tensor]]

    def operation(self, function: Function) -> tuple[Asked, Asked]:
        """Return an operation and its `_vjp`, which takes an upstream for any of the outputs."""
        return partial(self._forward, function), partial(self._vjp, function)

    def attention(self, function: Function) -> tuple[Asked, Asked]:
        """Return a head and its `_vjp`, which goes back from the output alone: scores stay inside."""

        def vjp(query: Array, key: Array, value: Array, output_upstream: Array) -> dict[str, Array]:
            return self._vjp(function, query=query, key=key, value=value, output_upstream=output_upstream)

        return partial(self._forward, function), vjp

    def _forward(self, function: Function, /, **inputs: Array) -> dict[str, Array]:
        results = function(**{name: self.to_tensor(array) for name, array in inputs.items()})
        return {name: self.to_array(tensor) for name, tensor in results.items()}

    def _vjp(self, function: Function, /, **given: Array) -> dict[str, Array]:
        tensors = {name: self.to_tensor(array) for name, array in given.items()}
        upstreams = {name.removesuffix(_SUFFIX): tensors.pop(name) for name in given if name.endswith(_SUFFIX)}
        outputs = _in_order(function, tuple(tensors), tuple(upstreams))
        gradients = self.pull_back(outputs, list(tensors.values()), list(upstreams.values()))
        return {name: self.to_array(gradient) for name, gradient in zip(tensors, gradients, strict=True)}


@lru_cache
def _in_order(function: Function, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Outputs:
    """Return a function by place instead of by name; the same one each time, so that it is compiled once."""

    def called(*leaves: Tensor) -> list[Tensor]:
        results = function(**dict(zip(inputs, leaves, strict=True)))
        return [results[name] for name in outputs]

    return called
