"""Error bounds: no admitted computation is beyond them, a wrong one is, and a correct one uses a visible share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attnspec.conformance import head_bounds, softmax_bounds
from attnspec.conformance.error_bounds import error_bounds
from attnspec.conformance.rounding import BINARY64, Rounding
from attnspec.conformance.runner import check_case
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Answered, Request
from attnspec.targets.python_target import PythonTarget
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, accepted, cases, fixtures, is_long
from oracle.compare import departures
from oracle.compare import truth as enclosures
from plain import target as plain
from sloppy import Sloppy

UNIT = 2.0**-20
COARSE = Rounding(unit=UNIT + BINARY64.unit, tiny=2.0**-1000)
Arrays = Mapping[str, NDArray[np.float64]]


def a_head(generator: np.random.Generator) -> Request:
    """Return a head of random sizes and magnitudes, scores from thousandths to hundreds."""
    batch, tokens, width, value_width = (int(generator.integers(1, most)) for most in (3, 9, 9, 5))
    size = 10.0 ** generator.uniform(-2, 1.5)
    inputs = {
        "query": generator.normal(size=(batch, tokens, width)) * size,
        "key": generator.normal(size=(batch, tokens, width)) * size ** generator.uniform(0, 1),
        "value": generator.normal(size=(batch, tokens, value_width)) + generator.choice([0.0, 0.0, 10.0]),
    }
    operation = str(generator.choice(["attention", "causal_attention"]))
    return Request(operation, inputs, {"output": generator.normal(size=(batch, tokens, value_width))})


def by_name(answer: Answered) -> dict[str, Any]:
    return dict(answer.outputs) | {f"gradients.{name}": array for name, array in answer.gradients.items()}


def visible(request: Request) -> NDArray[np.bool_]:
    tokens = np.asarray(request.inputs["query"]).shape[1]
    return (
        np.tri(tokens, dtype=np.bool_) if request.operation == "causal_attention" else np.ones((tokens,) * 2, np.bool_)
    )


def largest_shares(request: Request, generator: np.random.Generator, exact: Arrays | None = None) -> dict[str, float]:
    """Compute a head carelessly and return, by tensor, how much of its bounds it used at most."""
    truth = Reference().answer(request)
    assert isinstance(truth, Answered)
    bounds = error_bounds(request, truth, COARSE)
    with np.errstate(all="ignore"):
        got = Sloppy(generator, UNIT).answer(request.inputs, request.upstream["output"], visible(request))  # type: ignore[arg-type]
    exact = exact or by_name(truth)
    shares = {}
    for name, array in got.items():
        with np.errstate(all="ignore"):
            used = np.abs(array - exact[name]) / bounds[name]
        used = np.where(array == exact[name], 0.0, used)
        shares[name] = float(used.max())
    return shares


def trials(count: int, seed: int) -> dict[str, list[float]]:
    generator = np.random.default_rng(seed)
    shares: dict[str, list[float]] = {}
    for _ in range(count):
        for name, share in largest_shares(a_head(generator), generator).items():
            shares.setdefault(name, []).append(share)
    return shares


@pytest.mark.clause("conformance.16")
def test_no_careless_computation_is_beyond_the_bound_and_it_uses_a_visible_share() -> None:
    shares = trials(600, seed=7)
    assert {name: max(used) for name, used in shares.items() if max(used) > 1.0} == {}
    assert {name: float(np.median(used)) for name, used in shares.items() if np.median(used) < 0.01} == {}


@pytest.mark.slow
@pytest.mark.clause("conformance.16")
def test_no_careless_computation_is_beyond_the_bound_in_a_hundred_thousand_trials() -> None:
    assert {name: max(used) for name, used in trials(100_000, seed=11).items() if max(used) > 1.0} == {}


@pytest.mark.clause("conformance.16")
def test_the_bound_holds_against_the_oracle() -> None:
    generator = np.random.default_rng(3)
    for _ in range(40):
        request = a_head(generator)
        truth = {name: middles(value) for name, value in enclosures(request).items()}
        shares = largest_shares(request, generator, truth)
        assert max(shares.values()) <= 1.0, shares


def middles(balls: Any) -> NDArray[np.float64]:
    cells = [float(cell.mid()) for cell in getattr(balls, "cells", [])]
    return np.array(cells).reshape(getattr(balls, "shape", (len(cells),)))


@pytest.mark.parametrize(
    ("module", "name", "weaker"),
    [
        (head_bounds, "SCALING", 0),
        (softmax_bounds, "_exponent_errors", lambda scores, *rest: 0.0 * scores.error),
        (softmax_bounds, "_moved", lambda probability, *rest: 0.0 * probability),
        (softmax_bounds, "_records", lambda scores, visible: np.full((*scores.shape[:-1], 1), -2.0)),
    ],
)
def test_a_bound_that_forgets_something_is_found_out(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, weaker: Any
) -> None:
    monkeypatch.setattr(module, name, weaker)
    assert max(max(used) for used in trials(600, seed=7).values()) > 1.0


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
