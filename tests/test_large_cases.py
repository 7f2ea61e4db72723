"""What is done about tensors too large for their goldens: rows by digest, elements by recomputing, room in memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attnspec.conformance import known_truths
from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.known_truths import KnownTruths
from attnspec.conformance.rounding import Rounding
from attnspec.conformance.runner import check_case
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import golden_path, read_golden
from attnspec.corpus.mismatch import compare_bits
from attnspec.corpus.regeneration import standing
from attnspec.corpus.request import Answered, Reply, Request
from attnspec.numeric import exponential as exponentials
from attnspec.numeric import tiled_product
from attnspec.numeric.formats import FORMATS
from attnspec.numeric.plain_form import plain_form
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS

CASE = "causal_attention/two_batches_of_130"
PLAIN = Reference(plain=True).answer
BY_PLAIN = "by the plain form, which has the golden's digest"
FILL, FILL_IN = tiled_product._Tile.fill, exponentials._fill_in


def findings(fixture: Fixture, plain: Callable[[Request], Reply] = PLAIN, part: str = "forward") -> list[str]:
    """What is said of the reference."""
    parts = check_case(fixture, Reference(), GoldenJudge(plain), CORPUS.read)
    return [str(finding) for found in parts if found.name == part for finding in found.findings]


def fill_all_but_a_bit(tile: tiled_product._Tile) -> None:
    FILL(tile)
    if tile.result.shape[1:] == (130 % 128, 130):
        tile.result[:, -1, -1] = np.nextafter(tile.result[:, -1, -1], np.inf)


def one_step_up(x: exponentials.FloatArray, result: exponentials.FloatArray) -> exponentials.IntArray:
    left_open = FILL_IN(x, result)
    result[-2] = np.nextafter(result[-2], np.inf)
    return left_open


@pytest.mark.clause("fixture_format.50")
def test_a_product_that_is_wrong_where_it_is_fast_is_named_with_its_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiled_product, "_SMALL", 2**15)
    monkeypatch.setattr(tiled_product._Tile, "fill", fill_all_but_a_bit)
    found = {line.split(":")[0]: line for line in findings(CORPUS.read(CASE))}
    assert found["raw_scores[0, 129, 129]"] == (
        "raw_scores[0, 129, 129]: expected -1.178957446522552, got -1.1789574465225519, 1 ulp apart "
        f"({BY_PLAIN}; 2 rows differ)"
    )


@pytest.mark.clause("fixture_format.50")
def test_an_exponential_that_is_wrong_where_it_is_fast_is_named_with_its_element(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exponentials, "_fill_in", one_step_up)
    (found,) = [line for line in findings(CORPUS.read(CASE)) if line.startswith("probabilities[")]
    assert found.startswith("probabilities[1, 124, 117]: ")
    assert f", 1 ulp apart ({BY_PLAIN}; " in found


@pytest.mark.clause("fixture_format.50")
def test_the_tool_that_writes_goldens_names_the_element_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exponentials, "_fill_in", one_step_up)
    remarks = standing(CORPUS.read(CASE), Reference().answer, CORPUS.read, PLAIN).remarks
    assert any(remark.startswith("probabilities[1, 124, 117]: ") for remark in remarks)


@pytest.mark.clause("fixture_format.50")
def test_a_golden_that_nothing_computes_is_in_doubt_itself(tmp_path: Path) -> None:
    (found,) = findings(with_another_digest(tmp_path))
    assert found == (
        "probabilities[0, 5]: expected this row's digest, got another (no other row differs; "
        "the plain form has the row that came: its definition has changed, or the golden)"
    )


@pytest.mark.clause("fixture_format.50")
def test_a_third_opinion_is_told_as_one(tmp_path: Path) -> None:
    def off(request: Request) -> Reply:
        answer = Reference().answer(request)
        assert isinstance(answer, Answered)
        return replace(answer, outputs={name: value * 2 for name, value in answer.outputs.items()})

    (found,) = findings(with_another_digest(tmp_path), off)
    assert "(no other row differs; the plain form has neither this row nor the golden's)" in found


@pytest.mark.clause("fixture_format.50")
def test_a_truth_in_doubt_is_told_with_its_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exponentials, "_fill_in", one_step_up)
    fixture = CORPUS.read(CASE)
    answer = PLAIN(fixture.request)
    assert isinstance(answer, Answered)
    judge = TruthJudge(Reference().answer, plain=PLAIN)
    (found,) = judge.answer(fixture, answer)["forward"].findings
    assert str(found).startswith("the truth is in doubt: the reference departs from the golden: ")
    assert "1 ulp apart" in str(found)


def test_nothing_is_computed_again_where_the_golden_agrees_or_has_bits() -> None:
    def never(request: Request) -> Reply:
        raise AssertionError("asked for nothing")

    assert findings(CORPUS.read(CASE), never) == []
    small = CORPUS.read("causal_attention/three_tokens")
    other = replace(small, path=CORPUS.read("causal_attention/all_sizes_differ").path)
    assert findings(other, never) != []


def test_the_plain_form_uses_nothing_that_is_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object) -> None:
        raise AssertionError("the fast form was used")

    request = CORPUS.read(CASE).request
    expected = Reference().answer(request)
    monkeypatch.setattr(tiled_product._Tile, "fill", never)
    monkeypatch.setattr(exponentials, "_fill_in", never)
    monkeypatch.setattr(exponentials, "_rest", never)
    monkeypatch.setattr(tiled_product, "_SMALL", 0)
    same(expected, PLAIN(request))
    with pytest.raises(AssertionError, match="the fast form was used"):
        Reference().answer(request)


def same(one: Reply, other: Reply) -> None:
    assert isinstance(one, Answered)
    assert isinstance(other, Answered)
    for left, right in ((one.outputs, other.outputs), (one.gradients, other.gradients)):
        assert left.keys() == right.keys()
        assert all(np.asarray(left[name]).tobytes() == np.asarray(right[name]).tobytes() for name in left)


def test_the_definition_of_the_exponential_is_asked_in_the_shape_that_was_given() -> None:
    arguments = np.array([[0.0, -1.0, 0.0], [-800.0, np.nan, np.inf]])
    with plain_form():
        plain = exponentials.exponential(arguments)
        assert exponentials.exponential(np.zeros((2, 0))).shape == (2, 0)
        assert exponentials.exponential(-1.0).shape == ()
    assert plain.tobytes() == exponentials.exponential(arguments).tobytes()


def with_another_digest(folder: Path) -> Fixture:
    """Return a fixture whose golden has another digest for row 5 of the first batch element's probabilities."""
    fixture = CORPUS.read(CASE)
    path = golden_path(fixture.path)
    row = read_golden(path).parts["outputs"]["probabilities"]["rows"][5]
    text = path.read_text(encoding="utf-8").replace(row, "00000000")
    golden_path(folder / fixture.path.name).write_text(text, encoding="utf-8")
    return replace(fixture, path=folder / fixture.path.name)


def test_where_millions_of_elements_differ_the_first_is_found_without_a_look_at_each() -> None:
    left = np.zeros((2, 1500, 1500))
    right = np.where(np.arange(left.size).reshape(left.shape) < 7, left, -left)
    start = time.process_time()
    (found,) = compare_bits("output", left, right)
    assert time.process_time() - start < 1.0
    assert str(found) == "output[0, 0, 7]: expected 0.0, got -0.0, 1 ulp apart (and 4,499,992 more of 4,500,000)"


# Room in memory


class Counting:
    """The truth, and how often it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, request: Request) -> Reply:
        self.asked += 1
        return Reference().answer(request)


REQUESTS = [Request("exponential", {"x": np.full(10, float(number))}) for number in range(3)]
WITH_BOUNDS = 20  # elements of each


def truths_of(counting: Counting, most: int = 99) -> KnownTruths:
    return KnownTruths(counting.answer, Rounding(), FORMATS["float64"], most)


@pytest.mark.parametrize(
    ("elements", "most", "kept"),
    [(3 * WITH_BOUNDS, 99, 3), (2 * WITH_BOUNDS, 99, 2), (1, 99, 1), (10**9, 2, 2)],
)
def test_the_newest_truths_are_kept_as_far_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch, elements: int, most: int, kept: int
) -> None:
    monkeypatch.setattr(known_truths, "MOST_ELEMENTS", elements)
    counting = Counting()
    truths = truths_of(counting, most)
    for request in [*REQUESTS, *REQUESTS[-kept:]]:
        assert isinstance(truths.about(request), tuple)
    assert counting.asked == 3
    truths.about(REQUESTS[0])
    assert counting.asked == (3 if kept == 3 else 4)


def test_a_truth_that_made_room_is_held_to_its_golden_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_truths, "MOST_ELEMENTS", WITH_BOUNDS)
    truths, doubts = truths_of(Counting()), []

    def doubt(answer: Answered) -> str:
        doubts.append(answer)
        return ""

    for request in (REQUESTS[0], REQUESTS[0], REQUESTS[1], REQUESTS[0]):
        assert isinstance(truths.verified(request, doubt), tuple)
    assert len(doubts) == 3


def test_a_truth_in_doubt_stays_so() -> None:
    counting = Counting()
    truths = truths_of(counting)
    for _ in range(2):
        assert truths.verified(REQUESTS[0], lambda answer: "in doubt") == "in doubt"
    assert truths.about(REQUESTS[0]) == "in doubt"
    assert counting.asked == 1
