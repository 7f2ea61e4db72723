"""Private copies of the two references, so that a twin may change a function and no other twin sees it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from ordinary.checks import Checks

import attnspec
from attnspec.conformance.target import Declaration
from attnspec.corpus.request import Reply, Request

TESTS = Path(__file__).resolve().parents[1]


class PlainCopy(Checks):
    """The plain reference with a refusal for what is refused; its modules are attributes, to be changed."""

    def __init__(self) -> None:
        with _fresh("plain"):
            self.plain = importlib.import_module("plain")
            self._target = importlib.import_module("plain.target")
        self.arithmetic: Any = self.plain.arithmetic
        self.softmax: Any = self.plain.softmax
        self.heads: Any = self.plain.heads
        self.projections: Any = self.plain.projections

    def forward(self, operation: str, inputs: Mapping[str, Any]) -> Mapping[str, Any]:
        self.check(operation, inputs)
        outputs = self._answer(operation, inputs, {})[0]
        self.check_results(outputs)
        return outputs

    def backward(self, operation: str, inputs: Mapping[str, Any], upstreams: Mapping[str, Any]) -> Mapping[str, Any]:
        self.check(operation, inputs, upstreams)
        gradients = self._answer(operation, inputs, upstreams)[1]
        self.check_gradients(gradients)
        return gradients

    def _answer(self, operation: str, inputs: Mapping[str, Any], upstreams: Mapping[str, Any]) -> list[dict[str, Any]]:
        plain = self._target.plain_values
        return [
            {name: self._target.numpy_value(value) for name, value in values.items()}
            for values in self.plain.answer(operation, plain(inputs), plain(upstreams))
        ]


def plain_copy() -> PlainCopy:
    return PlainCopy()


class ReferenceCopy:
    """The reference itself: what it refuses, with which data, and its tape. Its modules are attributes.

    Only the reference is held to details and asked about released tapes, so a bug in these is one of its own.
    """

    declaration = Declaration("reference", has_tape=True, has_details=True)

    def __init__(self) -> None:
        packages = ("attnspec.attention", "attnspec.autodiff", "attnspec.targets")
        with _fresh(*packages):
            reference = importlib.import_module("attnspec.targets.reference")
            fresh = [name for name in sys.modules if name.startswith(tuple(f"{package}." for package in packages))]
            short = {name.removeprefix("attnspec.").replace(".", "_"): sys.modules[name] for name in fresh}
            self.modules: Any = SimpleNamespace(**short)
        self._target = reference.Reference()

    def answer(self, request: Request) -> Reply:
        reply: Reply = self._target.answer(request)
        return reply


def reference_copy() -> ReferenceCopy:
    return ReferenceCopy()


@contextmanager
def _fresh(*packages: str) -> Iterator[None]:
    """Import these packages anew inside, and leave the modules of the process as they were."""
    kept = _taken_out(packages)
    attributes = dict(vars(attnspec))
    sys.path.insert(0, str(TESTS))
    try:
        yield
    finally:
        sys.path.remove(str(TESTS))
        _taken_out(packages)
        sys.modules.update(kept)
        vars(attnspec).update(attributes)


def _taken_out(packages: tuple[str, ...]) -> dict[str, ModuleType]:
    inside = tuple(f"{package}." for package in packages)
    names = [name for name in sys.modules if name in packages or name.startswith(inside)]
    return {name: sys.modules.pop(name) for name in names}
