"""The laws that a fixture may state: a closed set (fixture_format)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from attnspec.corpus.forms import Closed, Counts, Distance, Number, OneOrMore, Tensor, Text
from attnspec.corpus.nodes import ListNode

Prefixes = tuple[Counts, ...]


class Replacement(Closed):
    """Other values for the part of an input that begins with the index prefix `at`."""

    at: Counts
    values: Tensor = Field(alias="with")


class Becomes(Closed):
    """What a part of an output is after the change."""

    at: Counts
    within: Distance
    values: Tensor


class Perturbation(Closed):
    """Other rows do not notice a change."""

    name: ClassVar[str] = "perturbation"
    replace: dict[Text, Replacement] = Field(min_length=1)
    unchanged: dict[Text, Prefixes] = Field(default_factory=dict)
    becomes: dict[Text, Becomes] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _says_something(self) -> Perturbation:
        if not (self.unchanged or self.becomes):
            raise ValueError("neither unchanged nor becomes: say what the change does")
        return self


def _lengths_form(node: Any) -> str:
    return "<some>" if isinstance(node, ListNode) else "<all>"


class PrefixExtension(Closed):
    """The first tokens alone give the same rows."""

    name: ClassVar[str] = "prefix_extension"
    of: OneOrMore
    lengths: Annotated[
        Annotated[Literal["all"], Tag("<all>")] | Annotated[Counts, Tag("<some>")], Discriminator(_lengths_form)
    ]


class BatchIsolation(Closed):
    """Each batch element alone gives the same."""

    name: ClassVar[str] = "batch_isolation"
    of: OneOrMore


class ZeroGradient(Closed):
    """There is exactly no gradient in this part."""

    name: ClassVar[str] = "zero_gradient"
    of: OneOrMore
    at: Counts


class RowSums(Closed):
    """Rows sum to one."""

    name: ClassVar[str] = "row_sums"
    of: OneOrMore
    within: Distance


class SameAs(Closed):
    """A part equals the same part of another case."""

    name: ClassVar[str] = "same_as"
    case: Text
    of: OneOrMore
    at: Counts
    within: Distance


class Isolation(Closed):
    """What stands in a blocked key or value reaches no row that may not see it."""

    name: ClassVar[str] = "isolation"
    poison: dict[Text, Replacement] = Field(min_length=1)
    of: dict[Text, Prefixes] = Field(min_length=1)


def _positive(value: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError(f"{value} is no step; it must be finite and positive")
    return value


class GradientCheck(Closed):
    """Central differences agree with the gradients."""

    name: ClassVar[str] = "gradient_check"
    step: Annotated[Number, AfterValidator(_positive)]
    tolerance: Distance


Law = Perturbation | PrefixExtension | BatchIsolation | ZeroGradient | RowSums | SameAs | Isolation | GradientCheck


class LawEntry(Closed):
    """An item of `laws`: one law under its name."""

    model_config = Closed.model_config | {"json_schema_extra": {"minProperties": 1, "maxProperties": 1}}

    perturbation: Perturbation | None = None
    prefix_extension: PrefixExtension | None = None
    batch_isolation: BatchIsolation | None = None
    zero_gradient: ZeroGradient | None = None
    row_sums: RowSums | None = None
    same_as: SameAs | None = None
    isolation: Isolation | None = None
    gradient_check: GradientCheck | None = None

    @model_validator(mode="after")
    def _only_one(self) -> LawEntry:
        if len(self.model_fields_set) != 1:
            raise ValueError("one law per item is expected; begin another item with -")
        return self

    @property
    def law(self) -> Law:
        law: Law = getattr(self, next(iter(self.model_fields_set)))
        return law
