"""The laws that a fixture may state: a closed set (fixture_format)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import ClassVar, Literal

from attnspec.corpus.entries import Choice, EntryFault, Form, Items, Leaf, Named, Schema
from attnspec.corpus.forms import COUNTS, DISTANCE, ONE_OR_MORE, STEP, TENSOR, TEXT
from attnspec.corpus.model import NOTHING, Model, field
from attnspec.corpus.nodes import ListNode, Node
from attnspec.corpus.request import Array

Prefix = tuple[int, ...]
PREFIXES = Items(COUNTS)


class Replacement(Model):
    """Other values for the part of an input that begins with the index prefix `at`."""

    at: Prefix = field(COUNTS)
    values: Array = field(TENSOR, key="with")


class Becomes(Model):
    """What a part of an output is after the change."""

    at: Prefix = field(COUNTS)
    within: float = field(DISTANCE)
    values: Array = field(TENSOR)


class Perturbation(Model):
    """Other rows do not notice a change."""

    name: ClassVar[str] = "perturbation"
    replace: Mapping[str, Replacement] = field(Named(Replacement, least=1))
    unchanged: Mapping[str, tuple[Prefix, ...]] = field(Named(PREFIXES), default=NOTHING)
    becomes: Mapping[str, Becomes] = field(Named(Becomes), default=NOTHING)

    def faults(self) -> Iterator[EntryFault]:
        if not (self.unchanged or self.becomes):
            yield EntryFault((), "neither unchanged nor becomes: say what the change does")


def _all(node: Node) -> Literal["all"]:
    if node != "all":
        raise ValueError("all, or a list of token counts, is expected")
    return "all"


ALL: Leaf[Literal["all"]] = Leaf(_all, {"const": "all", "type": "string"})
LENGTHS: Form[Literal["all"] | tuple[int, ...]] = Choice(
    lambda node: COUNTS if isinstance(node, ListNode) else ALL, ALL, COUNTS
)


class PrefixExtension(Model):
    """The first tokens alone give the same rows."""

    name: ClassVar[str] = "prefix_extension"
    of: tuple[str, ...] = field(ONE_OR_MORE)
    lengths: Literal["all"] | tuple[int, ...] = field(LENGTHS)


class BatchIsolation(Model):
    """Each batch element alone gives the same."""

    name: ClassVar[str] = "batch_isolation"
    of: tuple[str, ...] = field(ONE_OR_MORE)


class ZeroGradient(Model):
    """There is exactly no gradient in this part."""

    name: ClassVar[str] = "zero_gradient"
    of: tuple[str, ...] = field(ONE_OR_MORE)
    at: Prefix = field(COUNTS)


class RowSums(Model):
    """Rows sum to one."""

    name: ClassVar[str] = "row_sums"
    of: tuple[str, ...] = field(ONE_OR_MORE)
    within: float = field(DISTANCE)


class SameAs(Model):
    """A part equals the same part of another case."""

    name: ClassVar[str] = "same_as"
    case: str = field(TEXT)
    of: tuple[str, ...] = field(ONE_OR_MORE)
    at: Prefix = field(COUNTS)
    within: float = field(DISTANCE)


class Isolation(Model):
    """What stands in a blocked key or value reaches no row that may not see it."""

    name: ClassVar[str] = "isolation"
    poison: Mapping[str, Replacement] = field(Named(Replacement, least=1))
    of: Mapping[str, tuple[Prefix, ...]] = field(Named(PREFIXES, least=1))


class GradientCheck(Model):
    """Central differences agree with the gradients."""

    name: ClassVar[str] = "gradient_check"
    step: float = field(STEP)
    tolerance: float = field(DISTANCE)


Law = Perturbation | PrefixExtension | BatchIsolation | ZeroGradient | RowSums | SameAs | Isolation | GradientCheck


class LawEntry(Model):
    """An item of `laws`: one law under its name."""

    perturbation: Perturbation | None = field(Perturbation, default=None)
    prefix_extension: PrefixExtension | None = field(PrefixExtension, default=None)
    batch_isolation: BatchIsolation | None = field(BatchIsolation, default=None)
    zero_gradient: ZeroGradient | None = field(ZeroGradient, default=None)
    row_sums: RowSums | None = field(RowSums, default=None)
    same_as: SameAs | None = field(SameAs, default=None)
    isolation: Isolation | None = field(Isolation, default=None)
    gradient_check: GradientCheck | None = field(GradientCheck, default=None)

    @classmethod
    def misfit(cls, keys: Set[str]) -> str:
        return "" if len(keys) == 1 else "one law per item is expected; begin another item with -"

    @classmethod
    def own_schema(cls, definitions: Schema) -> Schema:
        return super().own_schema(definitions) | {"minProperties": 1, "maxProperties": 1}

    @property
    def law(self) -> Law:
        law: Law = getattr(self, next(iter(self.written)))
        return law
