"""The form of a fixture file as closed models; JSON Schema for editors comes from them (fixture_format)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import (
    Field,
    PlainValidator,
    PrivateAttr,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)

from attnspec.corpus import numbers
from attnspec.corpus.forms import Closed, Count, Counts, Distance, Input, Numbers, Text, Value
from attnspec.corpus.laws import LawEntry
from attnspec.corpus.nodes import MappingNode, Node
from attnspec.corpus.rejections import Rejection, nearest, read_rejection
from attnspec.corpus.store import CLAUSE_ID
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.errors import ERRORS

PROFILES = ("core", "isolation", "strict", "finite", "init", "large")
CLAUSE = re.compile(CLAUSE_ID)


def _operation(node: Node) -> str:
    name = numbers.text(node)
    if name not in OPERATIONS:
        raise ValueError(f"{name} is no operation; {nearest(name, OPERATIONS)}")
    return name


def _profile(node: Node) -> str:
    name = numbers.text(node)
    if name not in PROFILES:
        raise ValueError(f"{name} is no profile; known: {', '.join(PROFILES)}")
    return name


def _clause(node: Node) -> str:
    name = numbers.text(node)
    if not CLAUSE.fullmatch(name):
        raise ValueError(f"{name} is no clause; one looks like causal_mask.2")
    return name


class Part(Closed):
    """The part of a tensor that begins with the index prefix `at`; exact where it does not say within."""

    at: Counts
    within: Distance | None = None
    values: Value


class Expectation(Closed):
    """What an output, gradient or loss is expected to be; exact where it says neither within nor ulps."""

    values: Value | None = None
    parts: tuple[Part, ...] | None = Field(default=None, min_length=1)
    shape: Counts | None = None
    within: Distance | None = None
    ulps: Count | None = None
    _line: int = PrivateAttr(0)

    @property
    def line(self) -> int:
        """Where it stands in the file."""
        return self._line


def _expectation(node: Any, handler: ValidatorFunctionWrapHandler) -> Expectation:
    bare = not isinstance(node, MappingNode)
    made: Expectation = handler({"values": node} if bare else node)
    if not bare and made.model_fields_set not in ({"shape"}, {"parts"}, {"within", "values"}, {"ulps", "values"}):
        raise ValueError("write the value alone, {within, values}, {ulps, values}, {parts} or {shape}")
    made._line = node.line
    return made


Expected = Annotated[Expectation, WrapValidator(_expectation, json_schema_input_type=Expectation | Numbers | bool)]


class Expect(Closed):
    """Expectations by output; those of gradients by input."""

    model_config = Closed.model_config | {"extra": "allow"}

    loss: Expected | None = None
    gradients: dict[Text, Expected] = Field(default_factory=dict)
    __pydantic_extra__: dict[str, Expected] = Field(init=False)

    def by_name(self) -> dict[str, Expectation]:
        """All of them by name: `output`, `loss`, `gradients.query`."""
        loss = {"loss": self.loss} if self.loss else {}
        gradients = {f"gradients.{name}": expectation for name, expectation in self.gradients.items()}
        return {str(name): expectation for name, expectation in self.__pydantic_extra__.items()} | loss | gradients


class Given(Closed):
    """Operands that come from a tape already released."""

    released: tuple[Text, ...]


class Visible(Closed):
    row: Count
    keys: Counts


class Answer(Closed):
    """A text, and at most one thing that the golden or a law shows."""

    text: Text
    visible: Visible | None = None
    shapes: dict[Text, Counts] | None = None
    values: dict[Text, Part] | None = None
    law: Text | None = None

    @model_validator(mode="after")
    def _one_proof(self) -> Answer:
        if len(self.model_fields_set) > 2:
            raise ValueError("at most one of visible, shapes, values, law stands beside text")
        return self


class Question(Closed):
    ask: Text
    answer: Answer


_REFUSAL = {
    "type": "object",
    "properties": {"error": {"enum": [*ERRORS]}, "details": {"type": "object"}},
    "required": ["error"],
    "additionalProperties": False,
}


class Document(Closed):
    """The whole file."""

    about: Text
    operation: Annotated[str, PlainValidator(_operation), WithJsonSchema({"enum": [*OPERATIONS]})]
    profile: Annotated[str, PlainValidator(_profile), WithJsonSchema({"enum": [*PROFILES]})]
    clauses: tuple[Annotated[str, PlainValidator(_clause, json_schema_input_type=str)], ...] = Field(min_length=1)
    source: Text
    inputs: dict[Text, Input]
    given: Given | None = None
    upstream: dict[Text, Input] = Field(default_factory=dict)
    expect: Expect | None = None
    rejects: Annotated[Rejection, PlainValidator(read_rejection), WithJsonSchema(_REFUSAL)] | None = None
    laws: tuple[LawEntry, ...] = ()
    questions: tuple[Question, ...] = ()
