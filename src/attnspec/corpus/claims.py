"""Whether laws and questions speak of things that their case has (fixture_format)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from attnspec.corpus.checks import Finding, Subject, piece
from attnspec.corpus.fixture import part_names
from attnspec.corpus.laws import (
    BatchIsolation,
    GradientCheck,
    Isolation,
    Law,
    Perturbation,
    PrefixExtension,
    Replacement,
    RowSums,
    SameAs,
    ZeroGradient,
)
from attnspec.corpus.nodes import ListNode, MappingNode, Steps, at_key
from attnspec.corpus.rejections import nearest
from attnspec.corpus.request import Value
from attnspec.corpus.schema import Answer, Visible

REPLAY = "replay"  # the law that every case obeys


def check_claims(subject: Subject) -> Iterator[Finding]:
    """Yield what laws and questions name wrongly, each with its steps."""
    for index, entry in enumerate(() if subject.is_rejected else subject.document.laws):
        for steps, message in _law(subject, entry.law):
            yield ("laws", index, entry.law.name, *steps), message
    for index, question in enumerate(subject.document.questions):
        for steps, message in _answer(subject, question.answer):
            yield ("questions", index, "answer", *steps), message


def _law(subject: Subject, law: Law) -> Iterator[Finding]:
    match law:
        case Perturbation():
            yield from _replacements(subject, law.replace, "replace")
            yield from _prefixes(subject, law.unchanged, "unchanged")
            for name, becomes in law.becomes.items():
                yield from _part(subject, name, becomes.at, becomes.values, ("becomes", name))
        case Isolation():
            yield from _replacements(subject, law.poison, "poison")
            yield from _prefixes(subject, law.of, "of")
            if subject.document.profile != "isolation":
                yield (), "this law stands only in the profile isolation"
        case PrefixExtension():
            yield from _of(subject, law.of)
            yield from _lengths(subject, law)
        case BatchIsolation():
            yield from _of(subject, law.of)
            if not subject.sizes.has_batch:
                yield (), "there is no batch axis here"
        case RowSums():
            yield from _of(subject, law.of, gradients=False)
        case ZeroGradient() | SameAs():
            for index, name in enumerate(law.of):
                if isinstance(law, ZeroGradient) and not name.startswith("gradients."):
                    yield ("of", index), f"{name} is no gradient; gradients.{name} is meant?"
                else:
                    yield from _part(subject, name, law.at, None, ("of", index))
        case GradientCheck():
            if not subject.operation.gradients:
                yield (), f"{subject.operation.name} has no gradients"
            elif not subject.wrote("upstream"):
                yield (), "needs an upstream"


def _of(subject: Subject, names: tuple[str, ...], gradients: bool = True) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if name.startswith("gradients.") and not gradients:
            yield ("of", index), f"{name} is a gradient; this law is about outputs"
        elif (message := subject.tensor_fault(name)) is not None:
            yield ("of", index), message


def _replacements(subject: Subject, replacements: Mapping[str, Replacement], key: str) -> Iterator[Finding]:
    kinds = {name: kind for name, kind in subject.operation.inputs.items() if kind.is_tensor}
    for name, replacement in replacements.items():
        if name not in kinds:
            yield at_key((key, name)), f"no input tensor of {subject.operation.name}; {nearest(name, kinds)}"
        else:
            value = subject.inputs.get(name)
            shape = value.shape if isinstance(value, np.ndarray) else None
            yield from piece(shape, replacement.at, replacement.values, (key, name))


def _prefixes(subject: Subject, parts: Mapping[str, tuple[tuple[int, ...], ...]], key: str) -> Iterator[Finding]:
    for name, prefixes in parts.items():
        if (message := subject.tensor_fault(name)) is not None:
            yield at_key((key, name)), message
            continue
        for index, at in enumerate(prefixes):
            yield from piece(subject.sizes.shape_of(name), at, None, (key, name, index))


def _part(subject: Subject, name: str, at: tuple[int, ...], values: Value | None, steps: Steps) -> Iterator[Finding]:
    if (message := subject.tensor_fault(name)) is not None:
        yield at_key(steps), message
    else:
        yield from piece(subject.sizes.shape_of(name), at, values, steps)


def _lengths(subject: Subject, law: PrefixExtension) -> Iterator[Finding]:
    if not any("T" in (kind.sizes or ()) for kind in subject.operation.inputs.values()):
        yield (), f"{subject.operation.name} has no axis of tokens"
    tokens = subject.sizes["T"]
    for index, length in enumerate(law.lengths if isinstance(law.lengths, tuple) else ()):
        if length < 1 or (tokens is not None and length > tokens):
            yield ("lengths", index), f"{length} is no number of tokens from 1 to {tokens}"


def _answer(subject: Subject, answer: Answer) -> Iterator[Finding]:
    if answer.law is not None:
        laws = _written_laws(subject)
        if laws is not None and answer.law not in laws:
            yield ("law",), f"the fixture has no law {answer.law}; {nearest(answer.law, laws)}"
    if subject.is_rejected:
        for proof in answer.written - {"text"}:
            yield (proof,), "a refused case has no answer that could show this"
        return
    if answer.visible is not None:
        yield from _visible(subject, answer.visible)
    for name, shape in (answer.shapes or {}).items():
        if (message := subject.tensor_fault(name)) is not None:
            yield at_key(("shapes", name)), message
        elif (actual := subject.sizes.shape_of(name)) not in (None, shape):
            yield ("shapes", name), f"shape {list(shape)}; here it is {list(actual or ())}"
    for name, part in (answer.values or {}).items():
        steps = ("values", name)
        if name == "loss" or (name in subject.operation.outputs and not subject.operation.outputs[name].is_tensor):
            yield from piece((), part.at, part.values, steps)
        else:
            yield from _part(subject, name, part.at, part.values, steps)


def _visible(subject: Subject, visible: Visible) -> Iterator[Finding]:
    if "mask" not in subject.operation.outputs:
        yield ("visible",), f"{subject.operation.name} has no mask"
        return
    (tokens, _) = subject.sizes.shape_of("mask") or (None, None)
    if tokens is not None:
        if visible.row >= tokens:
            yield ("visible", "row"), f"there are {tokens} rows, counted from 0"
        for index, key in enumerate(visible.keys):
            if key >= tokens:
                yield ("visible", "keys", index), f"there are {tokens} keys, counted from 0"


def _written_laws(subject: Subject) -> list[str] | None:
    """The parts that answers may name, faulty laws included; None where the names of laws cannot be told."""
    entries = subject.tree.get("laws", ListNode())
    if not isinstance(entries, ListNode) or not all(isinstance(entry, MappingNode) for entry in entries):
        return None
    return [REPLAY, *part_names(name for entry in entries if isinstance(entry, MappingNode) for name in entry)]
