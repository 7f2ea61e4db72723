"""A file as a Python target: a function for each operation, with the vocabulary's names as keywords."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from inspect import Parameter, Signature
from typing import Any, Protocol

from attnspec.corpus.vocabulary import OPERATIONS, Operation


class Implementation(Protocol):
    def forward(self, operation: str, inputs: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def backward(
        self, operation: str, inputs: Mapping[str, Any], upstreams: Mapping[str, Any]
    ) -> Mapping[str, Any]: ...


def export(namespace: MutableMapping[str, Any], implementation: Implementation) -> None:
    """Put `<operation>` and `<operation>_vjp` into a module's namespace."""
    for operation in OPERATIONS.values():
        inputs = [Parameter(name, Parameter.KEYWORD_ONLY) for name in operation.inputs]
        namespace[operation.name] = _function(inputs, _forward(implementation, operation.name))
        if operation.gradients:
            upstreams = [
                Parameter(
                    f"{name}_upstream",
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if name in operation.required else None,
                )
                for name in operation.upstreams
            ]
            namespace[f"{operation.name}_vjp"] = _function([*inputs, *upstreams], _backward(implementation, operation))


def _forward(implementation: Implementation, operation: str) -> Callable[..., Any]:
    return lambda **given: implementation.forward(operation, given)


def _backward(implementation: Implementation, operation: Operation) -> Callable[..., Any]:
    def backward(**given: Any) -> Mapping[str, Any]:
        named = {name: given.get(f"{name}_upstream") for name in operation.upstreams}
        upstreams = {name: value for name, value in named.items() if value is not None}
        return implementation.backward(operation.name, {name: given[name] for name in operation.inputs}, upstreams)

    return backward


def _function(parameters: list[Parameter], body: Callable[..., Any]) -> Callable[..., Any]:
    body.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return body
