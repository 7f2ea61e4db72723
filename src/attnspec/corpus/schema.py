"""The form of a fixture file as closed models; JSON Schema for editors comes from them (fixture_format)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import Self

from attnspec.corpus.entries import Items, Leaf, Named, Schema
from attnspec.corpus.forms import COUNT, COUNTS, DEFINITIONS, DISTANCE, TEXT, VALUE
from attnspec.corpus.formulas import INPUT, Empty, Formula
from attnspec.corpus.laws import LawEntry
from attnspec.corpus.model import NOTHING, Model, field, other_keys
from attnspec.corpus.nodes import MappingNode, Node
from attnspec.corpus.rejections import Rejection, nearest, read_rejection
from attnspec.corpus.request import Value
from attnspec.corpus.store import CLAUSE_ID
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.errors import ERRORS

PROFILES = ("core", "isolation", "strict", "finite", "init", "large")
CLAUSE = re.compile(CLAUSE_ID)


def _is_operation(name: str) -> None:
    if name not in OPERATIONS:
        raise ValueError(f"{name} is no operation; {nearest(name, OPERATIONS)}")


def _is_profile(name: str) -> None:
    if name not in PROFILES:
        raise ValueError(f"{name} is no profile; known: {', '.join(PROFILES)}")


def _is_clause(name: str) -> None:
    if not CLAUSE.fullmatch(name):
        raise ValueError(f"{name} is no clause; one looks like causal_mask.2")


class Part(Model):
    """The part of a tensor that begins with the index prefix `at`; exact where it does not say within."""

    at: tuple[int, ...] = field(COUNTS)
    within: float | None = field(DISTANCE, default=None)
    values: Value = field(VALUE)


class Expectation(Model):
    """What an output, gradient or loss is expected to be; exact where it says neither within nor ulps."""

    values: Value | None = field(VALUE, default=None)
    parts: tuple[Part, ...] | None = field(Items(Part, least=1), default=None)
    shape: tuple[int, ...] | None = field(COUNTS, default=None)
    within: float | None = field(DISTANCE, default=None)
    ulps: int | None = field(COUNT, default=None)

    @classmethod
    def read(cls, node: Node) -> Self:
        """Read a mapping, or a value that stands alone."""
        return super().read(node) if isinstance(node, MappingNode) else cls(values=VALUE.read(node))

    @classmethod
    def misfit(cls, keys: Set[str]) -> str:
        go_together = keys in ({"shape"}, {"parts"}, {"within", "values"}, {"ulps", "values"})
        return "" if go_together else "write the value alone, {within, values}, {ulps, values}, {parts} or {shape}"

    @classmethod
    def schema(cls, definitions: Schema) -> Schema:
        return {"anyOf": [super().schema(definitions), *VALUE.schema(definitions)["anyOf"]]}


class Expect(Model):
    """Expectations by output; those of gradients by input."""

    loss: Expectation | None = field(Expectation, default=None)
    gradients: Mapping[str, Expectation] = field(Named(Expectation), default=NOTHING)
    outputs: Mapping[str, Expectation] = other_keys(Expectation)

    def by_name(self) -> dict[str, Expectation]:
        """All of them by name: `output`, `loss`, `gradients.query`."""
        loss = {"loss": self.loss} if self.loss else {}
        gradients = {f"gradients.{name}": expectation for name, expectation in self.gradients.items()}
        return {**self.outputs, **loss, **gradients}


class Given(Model):
    """Operands that come from a tape already released."""

    released: tuple[str, ...] = field(Items(TEXT))


class Visible(Model):
    """The keys that a row may see."""

    row: int = field(COUNT)
    keys: tuple[int, ...] = field(COUNTS)


class Answer(Model):
    """A text, and at most one thing that the golden or a law shows."""

    text: str = field(TEXT)
    visible: Visible | None = field(Visible, default=None)
    shapes: Mapping[str, tuple[int, ...]] | None = field(Named(COUNTS), default=None)
    values: Mapping[str, Part] | None = field(Named(Part), default=None)
    law: str | None = field(TEXT, default=None)

    @classmethod
    def misfit(cls, keys: Set[str]) -> str:
        return "at most one of visible, shapes, values, law stands beside text" if len(keys - {"text"}) > 1 else ""


class Question(Model):
    """What a reader is asked, and the answer."""

    ask: str = field(TEXT)
    answer: Answer = field(Answer)


_REFUSAL = {
    "type": "object",
    "properties": {"error": {"enum": [*ERRORS]}, "details": {"type": "object"}},
    "required": ["error"],
    "additionalProperties": False,
}


def _says_why(about: str) -> None:
    if not about.strip():
        raise ValueError("nothing is said; why does the case exist?")


class Document(Model):
    """The whole file."""

    about: str = field(TEXT.only(_says_why))
    operation: str = field(TEXT.only(_is_operation, {"enum": [*OPERATIONS]}))
    profile: str = field(TEXT.only(_is_profile, {"enum": [*PROFILES]}))
    clauses: tuple[str, ...] = field(Items(TEXT.only(_is_clause), least=1))
    source: str = field(TEXT)
    inputs: Mapping[str, Formula | Empty | Value] = field(Named(INPUT))
    given: Given | None = field(Given, default=None)
    upstream: Mapping[str, Formula | Empty | Value] = field(Named(INPUT), default=NOTHING)
    expect: Expect | None = field(Expect, default=None)
    rejects: Rejection | None = field(Leaf(read_rejection, _REFUSAL), default=None)
    laws: tuple[LawEntry, ...] = field(Items(LawEntry), default=())
    questions: tuple[Question, ...] = field(Items(Question), default=())


def fixture_schema() -> Schema:
    """Return the JSON Schema of a fixture, for completion in editors."""
    definitions = dict(DEFINITIONS)
    whole = Document.own_schema(definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": dict(sorted(definitions.items())),
        **whole,
    }
