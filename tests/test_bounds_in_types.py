"""A careless but correct target passes every head of core, with its laws, in each type of results and sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arithmetics import AnyArray
from attnspec.conformance.narrow import NarrowTarget
from attnspec.conformance.runner import run
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from bound_trials import FAMILIES, Family
from corpus_cases import CORPUS, accepted, fixtures
from sloppy import Sloppy

TYPES = [name for name in FAMILIES if "random" not in name]
SHOWN = ("output", "probabilities", "scaled_scores")
HEADS = [
    fixture
    for fixture in fixtures()
    if accepted(fixture) and fixture.profile == "core" and fixture.operation.name in ("attention", "causal_attention")
]


class Careless:
    """Heads in another careless way at every call.

    Args:
        family: how it computes.
        lifts: by how much it is wrong.
    """

    def __init__(self, family: Family, lifts: float = 0.0) -> None:
        self.DTYPES = (family.form.name,)
        self._family = family
        self._generator = np.random.default_rng(5)
        self._lifts = lifts

    def attention(self, query: AnyArray, key: AnyArray, value: AnyArray) -> dict[str, AnyArray]:
        answer = self._head(query, key, value, np.zeros_like(value), seen=_all)
        return {name: answer[name] for name in SHOWN}

    def causal_attention(self, query: AnyArray, key: AnyArray, value: AnyArray) -> dict[str, AnyArray]:
        answer = self._head(query, key, value, np.zeros_like(value), seen=_earlier)
        return {name: answer[name] for name in SHOWN}

    def attention_vjp(
        self, query: AnyArray, key: AnyArray, value: AnyArray, output_upstream: AnyArray
    ) -> dict[str, AnyArray]:
        return _gradients(self._head(query, key, value, output_upstream, seen=_all))

    def causal_attention_vjp(
        self, query: AnyArray, key: AnyArray, value: AnyArray, output_upstream: AnyArray
    ) -> dict[str, AnyArray]:
        return _gradients(self._head(query, key, value, output_upstream, seen=_earlier))

    def _head(self, query: AnyArray, key: AnyArray, value: AnyArray, upstream: AnyArray, seen: Any) -> Any:
        visible = seen(query.shape[1])
        head = Sloppy(self._generator, self._family.made(self._generator))
        with np.errstate(all="ignore"):
            answer = head.answer({"query": query, "key": key, "value": value}, upstream, visible)
            answer["output"] = answer["output"] * (1.0 + self._lifts)
        return {name: array.astype(self._family.form.dtype) for name, array in answer.items()}


def _all(tokens: int) -> NDArray[np.bool_]:
    return np.ones((tokens, tokens), dtype=np.bool_)


def _earlier(tokens: int) -> NDArray[np.bool_]:
    return np.tri(tokens, dtype=np.bool_)


def _gradients(answer: dict[str, AnyArray]) -> dict[str, AnyArray]:
    return {name: answer[f"gradients.{name}"] for name in ("query", "key", "value")}


def parts(family: Family, cases: Sequence[Fixture], lifts: float = 0.0) -> dict[str, Part]:
    target = NarrowTarget(PythonTarget(Careless(family, lifts), "careless"), family.form)
    judge = TruthJudge(Reference().answer, rounding=family.rounding, form=family.form)
    return {
        f"{report.case} {part.name}": part for report in run(cases, target, judge, CORPUS.read) for part in report.parts
    }


def wrong(found: dict[str, Part]) -> dict[str, Sequence[object]]:
    return {name: part.findings for name, part in found.items() if part.verdict in (Verdict.FAILED, Verdict.ERRORED)}


@pytest.mark.clause("conformance.14")
@pytest.mark.clause("conformance.16")
@pytest.mark.parametrize("family", TYPES)
def test_a_careless_target_passes(family: str) -> None:
    found = parts(FAMILIES[family](), HEADS[::6])
    assert wrong(found) == {}
    assert sum(part.verdict is Verdict.PASSED for part in found.values()) > len(found) / 2


@pytest.mark.slow
@pytest.mark.clause("conformance.14")
@pytest.mark.clause("conformance.16")
@pytest.mark.parametrize("family", TYPES)
def test_a_careless_target_passes_every_head_of_core(family: str) -> None:
    assert wrong(parts(FAMILIES[family](), HEADS)) == {}


@pytest.mark.parametrize("family", TYPES)
def test_a_target_whose_output_is_off_by_more_than_its_type_explains_fails(family: str) -> None:
    assert any("forward" in name for name in wrong(parts(FAMILIES[family](), HEADS[::6], lifts=0.5)))
