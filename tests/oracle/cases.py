"""The accepted fixtures with their goldens, for the tests that compute them a second and a third time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from attnspec.corpus.faults import FixtureFaults
from attnspec.corpus.goldens import Golden, golden_path, matches, read_golden
from attnspec.corpus.request import Answered, Request, Value
from attnspec.corpus.store import find_corpus
from attnspec.corpus.values import decode
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.targets.reference import Reference


@dataclass(frozen=True)
class Case:
    """An accepted fixture: what is asked, and where the answer is kept."""

    name: str
    profile: str
    request: Request
    path: Path

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

    def golden(self) -> Golden:
        """Outputs, loss and gradients as the golden has them; runs of laws are left out."""
        golden = read_golden(golden_path(self.path))
        return Golden(golden.case, golden.inputs_sha256, {k: v for k, v in golden.parts.items() if k != "laws"})

    def values(self) -> dict[str, Any]:
        """The golden's values by full name; a tensor held by its digest is the reference's, once it has that digest."""
        found: dict[str, Any] = {}
        for name, form in self.golden().flat().items():
            if isinstance(form, dict) and "sha256" in form:
                found[name] = self._computed(name)
                assert matches(form, found[name]), (
                    f"{self.name}: {name}: the reference does not have the golden's digest"
                )
            else:
                found[name] = decode(form)
        return found

    def _computed(self, name: str) -> Value:
        answer = Reference().answer(self.request)
        assert isinstance(answer, Answered), f"{self.name}: the reference refuses its own golden's inputs"
        return answer.gradients[name.removeprefix("gradients.")] if "." in name else answer.outputs[name]


@cache
def accepted() -> tuple[Case, ...]:
    """Every accepted fixture that can be read; test_fixtures says what is wrong with the others."""
    corpus, found = find_corpus(None), []
    for path in corpus.paths():
        try:
            fixture = corpus.read_path(path)
        except FixtureFaults:
            continue
        if fixture.rejects is None:
            found.append(Case(corpus.case_id(path), fixture.profile, fixture.request, path))
    return tuple(found)


def each(wanted: Callable[[Case], bool] = lambda case: True) -> list[Any]:
    """The wanted cases as parameters of a test; those of the profile `large` are slow."""
    return [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.profile == "large" else [])
        for case in accepted()
        if wanted(case)
    ]
