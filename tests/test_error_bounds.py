"""Error bounds: no admitted computation is beyond them, a wrong one is, and a correct one uses a visible share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.conformance import exponents, gradient_bounds, head_bounds, mixture_bounds
from attnspec.conformance.error_bounds import error_bounds
from attnspec.conformance.exponents import Row
from attnspec.conformance.rounding import BINARY64, Rounding, exact
from attnspec.conformance.runner import check_case
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Answered, Request
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from bound_trials import FAMILIES, one_trial, trials, typical_heads, wild_heads
from corpus_cases import CORPUS, accepted, cases, fixtures, is_long
from oracle.compare import departures
from oracle.compare import truth as enclosures
from plain import target as plain

families = pytest.mark.parametrize("family", FAMILIES)


def by_name(answer: Answered) -> dict[str, Any]:
    return dict(answer.outputs) | {f"gradients.{name}": array for name, array in answer.gradients.items()}


@pytest.mark.clause("conformance.16")
@families
def test_no_careless_computation_is_beyond_the_bound(family: str) -> None:
    shares = trials(FAMILIES[family](), 40, seed=7)
    assert shares.beyond == {}
    assert {name: float(part.mean()) for name, part in shares.unknown.items() if part.mean() > 0.1} == {}


@pytest.mark.slow
@pytest.mark.clause("conformance.16")
@families
def test_no_careless_computation_is_beyond_the_bound_in_a_hundred_thousand_trials(family: str) -> None:
    assert trials(FAMILIES[family](), 2_500, seed=11, heads=lambda generator: wild_heads(generator, 40)).beyond == {}


@pytest.mark.clause("conformance.16")
@families
def test_a_typical_computation_uses_a_visible_share(family: str) -> None:
    medians = trials(FAMILIES[family](), 30, seed=7, heads=typical_heads).medians
    assert {name: share for name, share in medians.items() if not share > 0.01} == {}


@pytest.mark.clause("conformance.16")
def test_the_bound_holds_against_the_oracle() -> None:
    generator = np.random.default_rng(3)
    for _ in range(5):
        request = wild_heads(generator)
        truth = {name: middles(value) for name, value in enclosures(request).items()}
        assert one_trial(FAMILIES["random"](), request, generator, truth).beyond == {}


def middles(balls: Any) -> NDArray[np.float64]:
    cells = [float(cell.mid()) for cell in getattr(balls, "cells", [])]
    return np.array(cells).reshape(getattr(balls, "shape", (len(cells),)))


def nothing(row: Any) -> NDArray[np.float64]:
    return np.zeros((*np.asarray(getattr(row, "value", getattr(row, "weight", row))).shape[:-1], 1))


FORGOTTEN: list[tuple[str, Any, str, Any]] = [
    ("random", head_bounds, "SCALING", 0),
    ("random", Rounding, "exponential", property(lambda rounding: 0.0)),
    ("random", exponents, "_records", lambda scores, visible: nothing(scores)),
    ("random", Row, "moved", lambda row: 0.0 * row.probability),
    ("random", Row, "moved_alone", lambda row: row.moved()),
    ("random", Row, "logarithm", lambda row, rounding: nothing(row)),
    ("random", mixture_bounds, "_moved", lambda softmax, value, output: 0.0 * output),
    ("random", gradient_bounds, "_row_term", lambda softmax, *rest: nothing(softmax)),
    ("random, flushed", Rounding, "lost", lambda rounding, values: 0.0 * values.value),
    ("random, flushed", Rounding, "flushed", lambda rounding, operations, reach: 0.0 * reach),
    ("random, flushed", Rounding, "given", lambda rounding, values: exact(values)),
    ("random, wider sums", Rounding, "summed", lambda rounding, count, more=0: rounding.inside.gamma(count)),
    ("random, wider sums", Rounding, "exponential", property(lambda rounding: 4.0 * rounding.inside.unit)),
    ("random, wider sums", Rounding, "gamma", lambda rounding, count: count * rounding.inside.unit),
]


@pytest.mark.parametrize(("family", "place", "name", "weaker"), FORGOTTEN)
def test_a_bound_that_forgets_something_is_found_out(
    monkeypatch: pytest.MonkeyPatch, family: str, place: Any, name: str, weaker: Any
) -> None:
    monkeypatch.setattr(place, name, weaker)
    assert trials(FAMILIES[family](), 60, seed=7).beyond != {}


def test_a_bound_that_forgets_the_largest_number_is_found_out() -> None:
    family = FAMILIES["float16"]()
    shares = trials(replace(family, rounding=replace(family.rounding, largest=np.inf)), 60, seed=7)
    assert np.inf in shares.beyond.values()


def golden_bounds(request: Request) -> dict[str, Any]:
    """The bounds of the reference itself: one rounding unit, and an exponential that is right to half an ulp."""
    truth = Reference().answer(request)
    assert isinstance(truth, Answered)
    bounds = error_bounds(request, truth, Rounding(unit=BINARY64.unit, exp_ulps=0.5))
    return {name: np.zeros(np.shape(value)) for name, value in truth.outputs.items()} | bounds


@pytest.mark.clause("conformance.16")
@cases(lambda fixture: accepted(fixture) and fixture.profile != "large")
def test_every_golden_is_within_its_bound_of_the_oracle(fixture: Fixture) -> None:
    answer = Reference().answer(fixture.request)  # held to the golden by tests/test_goldens.py
    assert isinstance(answer, Answered)
    expected = {name: value for name, value in enclosures(fixture.request).items() if name != "loss"}
    assert departures(fixture.request, by_name(answer), golden_bounds, expected) == []


@pytest.mark.clause("conformance.15")
@pytest.mark.clause("conformance.17")
def test_no_fixed_number_of_ulps_serves() -> None:
    def ulps(size: float, tensor: str) -> float:
        query = np.array([[[size, 1.0], [1.0, size]]])
        request = Request("attention", {"query": query, "key": query / 3, "value": np.array([[[1.0], [-1.0]]])}, {})
        truth = Reference().answer(request)
        assert isinstance(truth, Answered)
        value = np.abs(np.asarray(truth.outputs[tensor])[0, 1, 0])
        return float(error_bounds(request, truth)[tensor][0, 1, 0] / np.spacing(value))

    assert ulps(30.0, "probabilities") > 20 * ulps(1.0, "probabilities")

    def of_sum(terms: list[float]) -> float:
        request = Request("matrix_product", {"left": np.array([terms]), "right": np.ones((len(terms), 1))}, {})
        truth = Reference().answer(request)
        assert isinstance(truth, Answered)
        return float(error_bounds(request, truth)["product"][0, 0])

    assert of_sum([1e16, 1.0, -1e16]) == pytest.approx(of_sum([1e16, 1.0, 1e16]))


# Laws, with the bound in place of bits


class Made:
    """The plain reference, one function replaced."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        for operation in vars(plain):
            setattr(self, operation, getattr(plain, operation))
        setattr(self, name, function)


def part_of(case: str, part: str, operation: str, function: Callable[..., Any]) -> Part:
    judge = TruthJudge(Reference().answer)
    target = PythonTarget(Made(operation, function), "made")
    parts = {found.name: found for found in check_case(CORPUS.read(case), target, judge, CORPUS.read)}
    return parts[part]


def case_with(law: str, operation: str = "causal_attention") -> str:
    return next(
        fixture.id
        for fixture in fixtures()
        if fixture.operation.name == operation and not is_long(fixture) and law in [one.name for one in fixture.laws]
    )


def depending_on_length(**inputs: Any) -> Any:
    """Right for the whole, a little wrong for a part: rows depend on how much comes after them, or beside them."""
    outputs = dict(plain.causal_attention(**inputs))
    batch, tokens = inputs["query"].shape[:2]
    outputs["output"] = outputs["output"] * (1.0 + 1e-9 / tokens + 1e-9 / batch)
    return outputs


@pytest.mark.clause("conformance.14")
@pytest.mark.parametrize("law", ["prefix_extension", "batch_isolation"])
def test_two_ways_to_one_piece_may_differ_by_twice_its_bound_and_no_more(law: str) -> None:
    case = case_with(law)
    assert part_of(case, law, "causal_attention", plain.causal_attention).verdict is Verdict.PASSED
    assert part_of(case, law, "causal_attention", depending_on_length).verdict is Verdict.FAILED


@pytest.mark.clause("conformance.14")
def test_a_changed_piece_is_compared_with_the_truth_on_the_changed_inputs() -> None:
    first = CORPUS.read("causal_attention/three_tokens").request.inputs["key"]

    def stuck(**inputs: Any) -> Any:
        return plain.causal_attention(**{**inputs, "key": first})

    part = part_of("causal_attention/three_tokens", "perturbation", "causal_attention", stuck)
    assert part.verdict is Verdict.FAILED


@pytest.mark.clause("conformance.14")
def test_a_gradient_that_must_be_zero_may_have_either_sign_and_no_size() -> None:
    case = case_with("zero_gradient")

    def changed(by: float) -> Callable[..., Any]:
        def vjp(query: Any, key: Any, value: Any, output_upstream: Any) -> Any:
            gradients = plain.causal_attention_vjp(query, key, value, output_upstream=output_upstream)
            return {name: np.where(array == 0.0, by, array) for name, array in gradients.items()}

        return vjp

    assert part_of(case, "zero_gradient", "causal_attention_vjp", changed(-0.0)).verdict is Verdict.PASSED
    assert part_of(case, "zero_gradient", "causal_attention_vjp", changed(1e-300)).verdict is Verdict.FAILED


@pytest.mark.clause("conformance.14")
@pytest.mark.parametrize(("by", "verdict"), [(1e-16, Verdict.PASSED), (1e-9, Verdict.FAILED)])
def test_a_gradient_whose_parts_cancel_is_zero_but_for_their_roundings(by: float, verdict: Verdict) -> None:
    """With one token `c` is `dA`: summed in another order, the two do not cancel in every bit."""

    def vjp(query: Any, key: Any, value: Any, output_upstream: Any) -> Any:
        gradients = plain.causal_attention_vjp(query, key, value, output_upstream=output_upstream)
        return gradients | {"query": gradients["query"] + by}

    case = "causal_attention/one_token"
    assert part_of(case, "zero_gradient", "causal_attention_vjp", vjp).verdict is verdict


@pytest.mark.clause("conformance.14")
@pytest.mark.parametrize("law", ["row_sums", "same_as"])
def test_rows_sum_to_one_and_pieces_equal_those_of_other_cases_up_to_roundings(law: str) -> None:
    def off(**inputs: Any) -> Any:
        outputs = plain.causal_attention(**inputs)
        return {name: array if name == "mask" else array * (1.0 + 1e-9) for name, array in outputs.items()}

    case = case_with(law)
    assert part_of(case, law, "causal_attention", plain.causal_attention).verdict is Verdict.PASSED
    assert part_of(case, law, "causal_attention", off).verdict is Verdict.FAILED


@pytest.mark.clause("conformance.14")
def test_a_poisoned_case_gives_the_clean_rows_or_is_refused() -> None:
    def refusing(**inputs: Any) -> Any:
        if not all(np.isfinite(array).all() for array in inputs.values()):
            raise ValueError("not finite")
        return plain.causal_attention(**inputs)

    def leaking(**inputs: Any) -> Any:
        output = plain.causal_attention(**inputs)["output"]
        return output + 0.0 * inputs["value"].sum()

    case = "causal_attention/poisoned_value"
    assert part_of(case, "isolation", "causal_attention", refusing).verdict is Verdict.PASSED
    assert part_of(case, "isolation", "causal_attention", leaking).verdict is Verdict.FAILED


@pytest.mark.clause("conformance.14")
def test_the_gradient_check_is_not_asked_of_others() -> None:
    judge = TruthJudge(Reference().answer)
    parts = check_case(CORPUS.read("causal_attention/three_tokens"), Reference(), judge, CORPUS.read)
    assert "gradient_check" not in {part.name for part in parts}
