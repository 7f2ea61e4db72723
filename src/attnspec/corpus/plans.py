"""What a law asks: further requests, and claims that a piece of one run equals a piece of another (fixture_format).

Run 0 is the case itself. Who judges a claim decides how equal is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import singledispatch

import numpy as np

from attnspec.corpus.axes import BATCH, TOKENS, kind_of, length_of, piece_of, replaced, select, select_request
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.laws import (
    BatchIsolation,
    Isolation,
    Law,
    Perturbation,
    PrefixExtension,
    Replacement,
    RowSums,
    SameAs,
    ZeroGradient,
)
from attnspec.corpus.request import Answered, Array, Request
from attnspec.corpus.vocabulary import Operation
from attnspec.numeric.matrix_product import ordered_sum

GRADIENT = "gradients."


@dataclass(frozen=True)
class Piece:
    """Part of a tensor of one run; `cut` may be applied to the tensor's error bounds as well."""

    run: int
    tensor: str
    cut: Callable[[Array], Array]

    def is_in(self, answers: Sequence[Answered]) -> bool:
        """True where the run answered with this tensor; a target may leave intermediates out."""
        gradient_of = self.tensor.removeprefix(GRADIENT)
        answer = answers[self.run]
        return gradient_of in (answer.outputs if gradient_of == self.tensor else answer.gradients)

    def of(self, answers: Sequence[Answered]) -> Array:
        return np.asarray(self.cut(piece_of(answers[self.run], self.tensor)))


class Kind(StrEnum):
    """What a claim compares a piece with; a judge that admits rounding errors needs to know."""

    SAME = "same"  # the same piece of the case, computed in another way
    OTHER_CASE = "other case"  # a piece of another case
    VALUES = "values"  # values written by hand
    ROW_SUMS = "row sums"  # one, for each row
    ZERO = "zero"  # no gradient at all
    CLEAN = "clean"  # the piece that the case has without the poison


@dataclass(frozen=True)
class Claim:
    """`got` must equal `want`: another piece, or values (then `within` a tolerance)."""

    kind: Kind
    got: Piece
    want: Piece | Array
    within: float | None = None


@dataclass(frozen=True)
class Plan:
    """Requests to run after the case itself, and what is claimed of all the runs."""

    runs: tuple[Request, ...]
    claims: tuple[Claim, ...]
    refusal_passes: bool = False
    is_replay: bool = False


Lookup = Callable[[str], Fixture]
"""From a case id to its fixture."""


@singledispatch
def plan(law: Law, fixture: Fixture, lookup: Lookup) -> Plan:
    """Return what a law asks of a fixture. The gradient check is no plan: see `conformance.law_checks`."""
    raise AssertionError(f"no plan for {type(law).__name__}")


@plan.register
def _perturbation(law: Perturbation, fixture: Fixture, lookup: Lookup) -> Plan:
    unchanged = [
        Claim(Kind.SAME, Piece(1, name, _at(prefix)), Piece(0, name, _at(prefix)))
        for name, prefixes in law.unchanged.items()
        for prefix in prefixes
    ]
    becomes = [
        Claim(Kind.VALUES, Piece(1, name, _at(change.at)), change.values, change.within)
        for name, change in law.becomes.items()
    ]
    return Plan((_run_for(perturbed(law.replace, fixture.request), named(law)),), (*unchanged, *becomes))


@plan.register
def _prefix_extension(law: PrefixExtension, fixture: Fixture, lookup: Lookup) -> Plan:
    lengths = range(1, length_of(fixture.request, TOKENS) + 1) if law.lengths == "all" else law.lengths
    return _parts(fixture, law.of, TOKENS, [slice(0, length) for length in lengths])


@plan.register
def _batch_isolation(law: BatchIsolation, fixture: Fixture, lookup: Lookup) -> Plan:
    elements = range(length_of(fixture.request, BATCH))
    return _parts(fixture, law.of, BATCH, [slice(element, element + 1) for element in elements])


@plan.register
def _zero_gradient(law: ZeroGradient, fixture: Fixture, lookup: Lookup) -> Plan:
    pieces = [Piece(0, GRADIENT + name.removeprefix(GRADIENT), _at(law.at)) for name in law.of]
    return Plan((), tuple(Claim(Kind.ZERO, piece, np.zeros(())) for piece in pieces))


@plan.register
def _row_sums(law: RowSums, fixture: Fixture, lookup: Lookup) -> Plan:
    return Plan(
        (), tuple(Claim(Kind.ROW_SUMS, Piece(0, name, _sum_of_rows), np.ones(()), law.within) for name in law.of)
    )


@plan.register
def _same_as(law: SameAs, fixture: Fixture, lookup: Lookup) -> Plan:
    claims = [
        Claim(Kind.OTHER_CASE, Piece(0, name, _at(law.at)), Piece(1, name, _at(law.at)), law.within) for name in law.of
    ]
    return Plan((lookup(law.case).request,), tuple(claims))


@plan.register
def _isolation(law: Isolation, fixture: Fixture, lookup: Lookup) -> Plan:
    claims = [
        Claim(Kind.CLEAN, Piece(1, name, _at(row)), Piece(0, name, _at(row)))
        for name, rows in law.of.items()
        for row in rows
    ]
    poisoned = _run_for(perturbed(law.poison, fixture.request), law.of)
    return Plan((poisoned,), tuple(claims), refusal_passes=True)


def replay(fixture: Fixture, answer: Answered) -> Plan:
    """Return the law that every case obeys: two runs agree on every tensor."""
    names = [name for name, value in answer.outputs.items() if isinstance(value, np.ndarray)]
    names += [GRADIENT + name for name in answer.gradients]
    claims = tuple(Claim(Kind.SAME, Piece(1, name, _whole), Piece(0, name, _whole)) for name in names)
    return Plan((fixture.request,), claims, is_replay=True)


def named(law: Perturbation) -> tuple[str, ...]:
    """Return the tensors that a perturbation names; a golden holds those of the perturbed run."""
    return tuple(dict.fromkeys([*law.unchanged, *law.becomes]))


def perturbed(replacements: Mapping[str, Replacement], request: Request) -> Request:
    """Return the request with the law's pieces put into its inputs."""
    return replaced(request, {name: (piece.at, piece.values) for name, piece in replacements.items()})


def _parts(fixture: Fixture, of: Iterable[str], size: str, cuts: Sequence[slice]) -> Plan:
    """Run pieces of the inputs alone and claim that they give the same as the whole."""
    runs = tuple(_run_for(select_request(fixture.request, size, cut), of) for cut in cuts)
    claims = tuple(
        Claim(Kind.SAME, Piece(run, name, _whole), Piece(0, name, _selected(fixture.operation, name, size, cut)))
        for run, cut in enumerate(cuts, start=1)
        for name in of
    )
    return Plan(runs, claims)


def _run_for(request: Request, names: Iterable[str]) -> Request:
    """Drop the upstream where no gradient is looked at."""
    return request if any(name.startswith(GRADIENT) for name in names) else replace(request, upstream={})


def _selected(operation: Operation, name: str, size: str, cut: slice) -> Callable[[Array], Array]:
    kind = kind_of(operation, name)
    return lambda array: select(array, kind, size, cut)


def _at(prefix: Sequence[int]) -> Callable[[Array], Array]:
    return lambda array: array[tuple(prefix)]


def _sum_of_rows(array: Array) -> Array:
    return ordered_sum(array.astype(np.float64))


def _whole(array: Array) -> Array:
    return array
