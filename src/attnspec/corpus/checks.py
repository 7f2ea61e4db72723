"""What the models cannot see: names and shapes by the vocabulary, and which entries go together (fixture_format)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from attnspec.corpus.forms import inside
from attnspec.corpus.formulas import LARGEST, Empty, Formula
from attnspec.corpus.nodes import MappingNode, Steps, at_key, find
from attnspec.corpus.rejections import nearest
from attnspec.corpus.request import Value
from attnspec.corpus.schema import Document, Expectation
from attnspec.corpus.shapes import Sizes
from attnspec.corpus.vocabulary import Kind, Operation

SOURCES = ("by hand", "published", "oracle")
LONGEST_IN_CORE = 130  # tokens

Finding = tuple[Steps, str]


@dataclass(frozen=True)
class Subject:
    """A fixture under examination: its models, its expanded inputs, and the file as it was written."""

    document: Document
    operation: Operation
    inputs: Mapping[str, Value]
    upstream: Mapping[str, Value]
    tree: MappingNode
    sizes: Sizes

    def wrote(self, *steps: str) -> bool:
        """Whether the file has this entry, be it a faulty one that was set aside."""
        return find(self.tree, steps).steps == steps

    @property
    def is_rejected(self) -> bool:
        return self.wrote("rejects")

    def tensor_fault(self, name: str) -> str | None:
        """Say why a name is not that of an output tensor or of a gradient that the case has."""
        operation = self.operation
        known = [output for output, kind in operation.outputs.items() if kind.is_tensor]
        known += [f"gradients.{gradient}" for gradient in operation.gradients]
        if name not in known:
            return f"{name} is no tensor of {operation.name}; {nearest(name, known)}"
        if name.startswith("gradients.") and not self.wrote("upstream"):
            return f"{name} needs an upstream"
        return None


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the entries as a whole, each with its steps."""
    yield from _together(subject)
    yield from _seeds(subject.document)
    yield from _inputs(subject)
    yield from _upstream(subject)
    yield from _expect(subject)
    tokens = subject.sizes["T"] or subject.sizes["tokens"] or 0
    if subject.document.profile == "core" and not subject.is_rejected and tokens > LONGEST_IN_CORE:
        yield ("profile",), f"{tokens} tokens belong in the profile large"


def _together(subject: Subject) -> Iterator[Finding]:
    document = subject.document
    if not any(word in document.source for word in SOURCES):
        yield ("source",), f"where do the values come from? Say {', '.join(SOURCES[:-1])} or {SOURCES[-1]}"
    for other in ("expect", "laws"):
        if subject.is_rejected and subject.wrote(other):
            yield (other,), f"{other} beside rejects: a refused case has no answer"
    if "oracle" not in document.source and not any(map(subject.wrote, ("expect", "laws", "rejects"))):
        yield (), "neither expect nor laws nor rejects; only a case whose source is the oracle does without"
    if document.given:
        for index, name in enumerate(document.given.released):
            if name not in subject.operation.inputs:
                yield ("given", "released", index), f"{name} is no input; {nearest(name, subject.operation.inputs)}"


def _seeds(document: Document) -> Iterator[Finding]:
    seen: dict[int, str] = {}
    for section, tensors in (("inputs", document.inputs), ("upstream", document.upstream)):
        for name, value in tensors.items():
            if isinstance(value, Formula):
                seed = value.splitmix64.seed
                first = seen.setdefault(seed, f"{section}.{name}")
                if first != f"{section}.{name}":
                    yield (section, name, "splitmix64", "seed"), f"the seed {seed} is that of {first}; take another"


def _inputs(subject: Subject) -> Iterator[Finding]:
    kinds = subject.operation.inputs
    missing = [name for name in kinds if not subject.wrote("inputs", name)]
    if missing and isinstance(subject.tree.get("inputs"), MappingNode):
        yield ("inputs",), f"{', '.join(missing)} missing"
    yield from _sizes(subject)
    for name, value in subject.inputs.items():
        steps: Steps = ("inputs", name)
        if name not in kinds:
            yield at_key(steps), f"no input of {subject.operation.name}; {nearest(name, kinds)}"
        elif (message := _kind_fault(kinds[name], subject.document.inputs[name])) is not None:
            yield steps, message
        elif name == "seed" and isinstance(value, int) and not 0 <= value < 2**64:
            yield steps, f"{value} is no seed; an unsigned 64-bit integer is expected"
        elif not subject.is_rejected:
            if isinstance(value, int) and value < 0:
                yield steps, f"{value} is negative: that is refused"
            yield from _shape(subject, kinds[name], value, steps)


def _sizes(subject: Subject) -> Iterator[Finding]:
    """Whether an output would have more elements than a fixture may ask for."""
    for name, kind in subject.operation.outputs.items():
        if name == "mask" and subject.is_rejected:
            continue  # how large a mask may be is what some refused cases are about
        sizes = [subject.inputs.get(size) for size in kind.sizes or ()]
        counts = [size for size in sizes if isinstance(size, int)]
        if counts and math.prod(counts) > LARGEST:
            yield ("inputs",), f"{name} would have {math.prod(counts)} elements, of {LARGEST} at most"


def _upstream(subject: Subject) -> Iterator[Finding]:
    known = subject.operation.upstreams
    for name, value in subject.upstream.items():
        steps: Steps = ("upstream", name)
        if name not in known:
            yield at_key(steps), f"takes no upstream; {nearest(name, known)}"
        elif not subject.is_rejected:
            yield from _shape(subject, subject.operation.outputs[name], value, steps)


def _expect(subject: Subject) -> Iterator[Finding]:
    expect = subject.document.expect.by_name() if subject.document.expect else {}
    operation = subject.operation
    for name, expectation in expect.items():
        steps: Steps = ("expect", *name.split("."))
        gradient_of = name.removeprefix("gradients.")
        backward = name == "loss" or gradient_of != name
        if gradient_of != name and gradient_of not in operation.gradients:
            yield at_key(steps), f"no gradient of {operation.name}; {nearest(gradient_of, operation.gradients)}"
        elif not backward and name not in operation.outputs:
            yield at_key(steps), f"no output of {operation.name}; {nearest(name, operation.outputs)}"
        elif backward and not subject.wrote("upstream"):
            yield at_key(steps), "needs an upstream"
        elif subject.is_rejected:
            continue
        elif name == "loss":
            yield from _expected(subject, name, Kind("float64", ()), expectation, steps)
        else:
            kind = operation.outputs[name] if gradient_of == name else operation.inputs[gradient_of]
            yield from _expected(subject, name, kind, expectation, steps)


def _expected(subject: Subject, name: str, kind: Kind, expectation: Expectation, steps: Steps) -> Iterator[Finding]:
    if expectation.values is not None:
        if not kind.is_tensor and (expectation.within is not None or expectation.ulps is not None):
            yield steps, "within and ulps are for tensors; write the value alone"
        yield from _shape(subject, kind, expectation.values, steps)
    elif not kind.is_tensor:
        yield steps, f"a shape and parts are a tensor's; {kind.element} is expected here"
    elif expectation.parts is not None:
        for index, part in enumerate(expectation.parts):
            yield from piece(subject.sizes.shape_of(name), part.at, part.values, (*steps, "parts", index))
    elif expectation.shape is not None:
        yield from _fits(subject, kind, expectation.shape, steps)


def _shape(subject: Subject, kind: Kind, value: Value, steps: Steps) -> Iterator[Finding]:
    if isinstance(value, np.ndarray) and kind.is_tensor:
        yield from _fits(subject, kind, value.shape, steps)


def _fits(subject: Subject, kind: Kind, shape: tuple[int, ...], steps: Steps) -> Iterator[Finding]:
    message = subject.sizes.disagreement(kind, shape, ".".join(map(str, steps)))
    if message is not None:
        yield steps, message


def piece(shape: tuple[int, ...] | None, at: tuple[int, ...], values: Value | None, steps: Steps) -> Iterator[Finding]:
    """Whether `at` is an index prefix of the shape, and the values are of the shape that stands there."""
    if shape is None:
        return
    if not inside(at, shape):
        yield (*steps, "at"), f"{list(at)} is no index prefix of shape {list(shape)}"
    elif isinstance(values, np.ndarray) and values.shape != shape[len(at) :]:
        yield (*steps, "with", "values"), f"shape {list(values.shape)}, {list(shape[len(at) :])} stands at {list(at)}"


def _kind_fault(kind: Kind, value: object) -> str | None:
    if isinstance(value, Formula | Empty) and not kind.is_tensor:
        return f"a tensor where {kind.element} is expected"
    return None
