"""The accepted fixtures with their goldens, for the tests that compute them a second and a third time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from attnspec.corpus.faults import FixtureFaults
from attnspec.corpus.fixture import Fixture, Perturbation, law_parts
from attnspec.corpus.goldens import Golden, golden_path, read_golden
from attnspec.corpus.plans import perturbed
from attnspec.corpus.request import Answered, Request, Value
from attnspec.corpus.store import find_corpus
from attnspec.corpus.values import decode, encode_for_reading
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.targets.reference import Reference

T = TypeVar("T")


@dataclass(frozen=True)
class Case:
    """An accepted fixture, or the run with changed inputs that a law of it asks for (`law`)."""

    name: str
    profile: str
    request: Request
    path: Path
    law: str | None = None

    @property
    def tokens(self) -> int:
        """How many tokens the inputs have, 0 where the operation knows none."""
        for name, kind in OPERATIONS[self.request.operation].inputs.items():
            value, sizes = self.request.inputs[name], kind.sizes or ()
            if name == "tokens":
                assert isinstance(value, int)
                return value
            if "T" in sizes:
                return int(value.shape[sizes.index("T") - len(sizes)])  # type: ignore[union-attr]
        return 0

    @property
    def rows(self) -> int:
        """How many rows of tokens there are in all batch elements."""
        batch = [
            value.shape[0]
            for value in self.request.inputs.values()
            if isinstance(value, np.ndarray) and value.ndim == 3
        ]
        return self.tokens * max(batch, default=1)

    def golden(self) -> Golden:
        """Outputs, loss and gradients as the golden has them; of a law's run the outputs that the law names."""
        golden = read_golden(golden_path(self.path))
        parts = {name: part for name, part in golden.parts.items() if name != "laws"}
        return replace(golden, parts={"outputs": golden.parts["laws"][self.law]} if self.law else parts)

    def kept(self, named: Mapping[str, T]) -> dict[str, T]:
        """What the golden keeps of the answer: all of it, or what the law names."""
        names = self.golden().flat() if self.law else named
        return {name: value for name, value in named.items() if name in names}

    def values(self) -> dict[str, Any]:
        """The golden's values by full name; a tensor held by its digest is the reference's, once it has that digest."""
        found, computed = {}, self._computed()
        for name, form in self.golden().flat().items():
            if isinstance(form, dict) and "sha256" in form:
                found[name] = computed[name]
                assert encode_for_reading(found[name]) == form, (
                    f"{self.name}: {name}: the reference does not have the golden's digest"
                )
            else:
                found[name] = decode(form)
        return found

    def _computed(self) -> dict[str, Value]:
        if not any(isinstance(form, dict) and "sha256" in form for form in self.golden().flat().values()):
            return {}
        answer = Reference().answer(self.request)
        assert isinstance(answer, Answered), f"{self.name}: the reference refuses its own golden's inputs"
        return {**answer.outputs, **{f"gradients.{name}": array for name, array in answer.gradients.items()}}


@cache
def accepted() -> tuple[Case, ...]:
    """Every accepted fixture that can be read; test_fixtures says what is wrong with the others."""
    corpus, found = find_corpus(None), []
    for path in corpus.paths():
        try:
            fixture = corpus.read(corpus.case_id(path))
        except FixtureFaults:
            continue
        if fixture.rejects is None:
            case = Case(fixture.id, fixture.profile, fixture.request, path)
            found += [case, *_law_runs(case, fixture)]
    return tuple(found)


def _law_runs(case: Case, fixture: Fixture) -> Iterator[Case]:
    for part, law in law_parts(fixture):
        if isinstance(law, Perturbation):
            request = replace(perturbed(law.replace, case.request), upstream={})
            yield replace(case, name=f"{case.name} {part}", request=request, law=part)


def each(wanted: Callable[[Case], bool] = lambda case: True) -> list[Any]:
    """The wanted cases as parameters of a test; those of the profile `large` are slow."""
    return [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.profile == "large" else [])
        for case in accepted()
        if wanted(case)
    ]
