"""Types narrower than float64, and sums wider than the type: what is asked, what is true, what is admitted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from attnspec.cli import main
from attnspec.conformance.narrow import DEFINED_IN_FLOAT64, NarrowTarget, rounded_request, rounded_to
from attnspec.conformance.rounding import rounding_of
from attnspec.conformance.runner import check_case
from attnspec.conformance.target import Declaration
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.request import Answered, Reply, Request, Skipped
from attnspec.numeric.formats import FORMATS, FloatFormat
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, fixtures

NARROW = [FORMATS[name] for name in ("float32", "float16", "bfloat16")]
AROUND_ONE = CORPUS.read("exponential/around_one")
THREE_TOKENS = CORPUS.read("causal_attention/three_tokens")
SEVENTEEN_TOKENS = CORPUS.read("causal_attention/seventeen_tokens")
LONG_SUM = replace(
    CORPUS.read("matrix_product/order_of_a_long_sum"),
    request=Request("matrix_product", {"left": np.array([[256.0, *[1.0] * 60]]), "right": np.ones((61, 1))}),
)
"""256 and 60 times 1: added one by one in bfloat16, each 1 is lost."""

of_each_type = pytest.mark.parametrize("form", NARROW, ids=[form.name for form in NARROW])


class Computes:
    """A target of one function, which takes the inputs by name and returns the outputs."""

    def __init__(self, function: Callable[..., dict[str, Any]], accumulates: str = "") -> None:
        self._function = function
        self.declaration = Declaration("computes", dtypes=tuple(FORMATS), accumulates=accumulates)
        self.asked: list[Request] = []

    def answer(self, request: Request) -> Reply:
        self.asked.append(request)
        return Answered(self._function(**request.inputs), no_gradients="none here")


def parts(target: Computes, fixture: Any, form: FloatFormat, truth: Any = None) -> dict[str, Part]:
    rounding = rounding_of(form.name, target.declaration.accumulates)
    judge = TruthJudge(truth or Reference().answer, rounding=rounding, form=form)
    return {part.name: part for part in check_case(fixture, NarrowTarget(target, form), judge, CORPUS.read)}


def positive(form: FloatFormat, count: int) -> np.ndarray[Any, Any]:
    """Return the first numbers of a type from zero on, in float64."""
    patterns = np.arange(count, dtype=f"u{form.dtype.itemsize}")
    return np.asarray(patterns.view(form.dtype).astype(np.float64))


@pytest.mark.clause("conformance.24")
@pytest.mark.parametrize("form", NARROW[1:], ids=["float16", "bfloat16"])
def test_between_any_two_numbers_of_a_type_the_nearest_is_taken_and_a_tie_is_even(form: FloatFormat) -> None:
    """Every number of 16 bits: itself, its midpoint with the next, and the float64 numbers around that."""
    finite = int(np.array(form.largest, dtype=form.dtype).view(np.uint16)) + 1
    numbers = positive(form, finite)
    low, high = numbers[:-1], numbers[1:]
    middle = (low + high) / 2
    even = np.where(np.arange(finite - 1) % 2 == 0, low, high)
    for sign in (1.0, -1.0):
        assert np.array_equal(rounded_to(form, sign * numbers), sign * numbers)
        assert np.array_equal(rounded_to(form, sign * middle), sign * even)
        assert np.array_equal(rounded_to(form, sign * np.nextafter(middle, 0.0)), sign * low)
        assert np.array_equal(rounded_to(form, sign * np.nextafter(middle, np.inf)), sign * high)


@pytest.mark.clause("conformance.24")
@of_each_type
def test_rounding_agrees_with_numpy_and_ml_dtypes(form: FloatFormat) -> None:
    """Through float32 where that is how they go there: bfloat16 is reached from float64 by two roundings."""
    random = np.random.default_rng(24)
    exponents = random.integers(-1074, 1024, 20_000)
    near = random.integers(1 - form.most - form.precision - 3, form.most + 2, 20_000)
    values = np.ldexp(random.uniform(-2.0, 2.0, 40_000), np.concatenate([exponents, near]))
    with np.errstate(all="ignore"):
        source = values.astype(np.float32) if form.name == "bfloat16" else values
        theirs = source.astype(form.dtype).astype(np.float64)
        ours = rounded_to(form, source.astype(np.float64))
    assert ours.tobytes() == theirs.tobytes()


@pytest.mark.clause("conformance.24")
def test_bfloat16_is_rounded_once() -> None:
    just_above_a_tie = np.array([1.0 + 2.0**-8 + 2.0**-40])
    assert rounded_to(FORMATS["bfloat16"], just_above_a_tie) == 1.0 + 2.0**-7
    twice = just_above_a_tie.astype(np.float32).astype(ml_dtypes.bfloat16).astype(np.float64)
    assert twice == 1.0, "the wrong way, through float32"


@pytest.mark.clause("conformance.24")
@of_each_type
def test_what_is_too_large_is_infinite_what_is_too_small_is_zero_and_signs_and_nans_stay(form: FloatFormat) -> None:
    half = math.ldexp(1.0, form.most - form.precision)  # half a step beyond the largest number
    least = math.ldexp(1.0, 2 - form.most - form.precision)
    given = [form.largest + half, math.nextafter(form.largest + half, 0), least / 2, math.nextafter(least / 2, 1)]
    expected = [math.inf, form.largest, 0.0, least]
    with_signs = np.array([*given, *(-x for x in given), 0.0, -0.0, math.inf, -math.inf])
    assert rounded_to(form, with_signs).tobytes() == np.array(
        [*expected, *(-x for x in expected), 0.0, -0.0, math.inf, -math.inf]
    ).tobytes()  # fmt: skip
    assert np.isnan(rounded_to(form, np.array([math.nan]))).all()


@pytest.mark.clause("conformance.24")
@of_each_type
def test_a_target_is_asked_in_the_type_and_the_truth_is_that_of_the_same_rounded_numbers(form: FloatFormat) -> None:
    told: list[Request] = []

    def truth(request: Request) -> Reply:
        told.append(request)
        return Reference().answer(request)

    target = Computes(lambda query, key, value: {"output": value})
    parts(target, SEVENTEEN_TOKENS, form, truth)
    for name, value in {**SEVENTEEN_TOKENS.request.inputs, **SEVENTEEN_TOKENS.request.upstream}.items():
        asked, known = ({**request.inputs, **request.upstream}[name] for request in (target.asked[0], told[0]))
        expected = rounded_to(form, np.asarray(value))
        assert not np.array_equal(expected, value), "nothing to round"
        assert isinstance(asked, np.ndarray)
        assert isinstance(known, np.ndarray)
        assert asked.dtype == form.dtype
        assert known.dtype == np.float64
        assert known.tobytes() == expected.tobytes() == asked.astype(np.float64).tobytes()


@pytest.mark.clause("conformance.24")
def test_without_rounded_inputs_the_truth_would_be_another() -> None:
    """The exponential of a rounded number, asked and answered rightly, is far from that of the number itself."""
    form = FORMATS["bfloat16"]
    fixture = CORPUS.read("exponential/multiples_of_ln2")
    target = Computes(lambda x: {"y": rounded_to(form, np.exp(x.astype(np.float64))).astype(form.dtype)})
    assert parts(target, fixture, form)["forward"].verdict is Verdict.PASSED
    whole = TruthJudge(Reference().answer, rounding=rounding_of("bfloat16"))
    found = list(check_case(fixture, NarrowTarget(target, form), whole, CORPUS.read))
    assert found[0].verdict is Verdict.FAILED


@pytest.mark.clause("conformance.24")
@of_each_type
def test_an_answer_in_float64_fails_where_another_type_was_asked(form: FloatFormat) -> None:
    wide = Computes(lambda x: {"y": np.exp(x.astype(np.float64))})
    forward = parts(wide, AROUND_ONE, form)["forward"]
    assert forward.verdict is Verdict.FAILED
    assert f"y is float64, expected {form.name}" in forward.findings


@pytest.mark.clause("conformance.24")
def test_a_case_that_leaves_the_range_of_the_type_is_skipped_and_says_which_element() -> None:
    fixture = CORPUS.read("causal_attention/largest_values")
    target = Computes(lambda query, key, value: {"output": value})
    found = parts(target, fixture, FORMATS["float32"])
    assert target.asked == []
    assert {part.verdict for part in found.values()} == {Verdict.SKIPPED}
    assert found["forward"].remark == "value[0, 0, 0] = 1.7976931348623157e+308 is beyond float32"
    parts(target, replace(fixture, request=replace(fixture.request, upstream={})), FORMATS["float64"])
    assert target.asked


@pytest.mark.clause("conformance.24")
def test_an_infinite_input_is_in_the_range_of_every_type() -> None:
    target = Computes(lambda x: {"y": x})
    NarrowTarget(target, FORMATS["float16"]).answer(CORPUS.read("exponential/infinities_and_nan").request)
    assert target.asked


@pytest.mark.clause("conformance.24")
def test_an_answer_may_have_any_type_where_no_input_had_one() -> None:
    mask = Computes(lambda tokens: {"mask": np.where(np.tri(tokens, dtype=np.bool_), 0.0, -np.inf)})
    forward = parts(mask, CORPUS.read("causal_mask/four_tokens"), FORMATS["float16"])["forward"]
    assert forward.verdict is Verdict.PASSED


@pytest.mark.clause("conformance.24")
@of_each_type
def test_exactly_the_cases_with_a_finite_number_that_becomes_infinite_leave_the_range(form: FloatFormat) -> None:
    skipped = 0
    for fixture in fixtures():
        request = fixture.request
        if request.operation in DEFINED_IN_FLOAT64:
            continue
        given = [
            value for value in (*request.inputs.values(), *request.upstream.values()) if not isinstance(value, int)
        ]
        numbers = [value for value in given if isinstance(value, np.ndarray) and value.dtype == np.float64]
        with np.errstate(all="ignore"):
            leaves = any(
                (np.isfinite(value) & np.isinf(value.astype(form.dtype).astype(np.float64))).any() for value in numbers
            )
        reply = NarrowTarget(Computes(lambda **inputs: {}), form).answer(request)
        assert isinstance(reply, Skipped) == leaves, fixture.id
        skipped += leaves
    assert 10 < skipped < 150


@pytest.mark.clause("conformance.24")
@pytest.mark.parametrize("operation", DEFINED_IN_FLOAT64)
def test_what_is_defined_in_float64_is_not_asked_in_another_type(operation: str) -> None:
    fixture = next(one for one in fixtures() if one.operation.name == operation and one.rejects is None)
    target = Computes(lambda **inputs: {})
    assert NarrowTarget(target, FORMATS["float32"]).answer(fixture.request) == Skipped(
        f"{operation} is defined in float64"
    )
    assert target.asked == []


@pytest.mark.clause("conformance.24")
def test_in_float64_a_request_is_left_as_it_is() -> None:
    assert rounded_request(THREE_TOKENS.request, FORMATS["float64"]) is THREE_TOKENS.request


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dtype", "float16"], "--dtype float16: narrow takes float64, float32"),
        (["--dtype", "float32", "--level", "bits"], "bits are specified for float64 alone"),
        (["--dtype", "float8"], "invalid choice"),
    ],
)
def test_a_type_that_cannot_be_asked_is_bad_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    target = tmp_path / "narrow.py"
    target.write_text("DTYPES = ('float64', 'float32')\ndef causal_attention(query, key, value): return value\n")
    try:
        status = main(["check", str(target), "--in-process", *options])
    except SystemExit as left:
        status = int(str(left.code))
    assert status == 2
    assert said in capsys.readouterr().err


def summed_in(form: FloatFormat, result: FloatFormat) -> Callable[..., dict[str, Any]]:
    """Return a matrix product whose sums are rounded to one type at each step, and to another at the end."""

    def product(left: Any, right: Any) -> dict[str, Any]:
        total = np.zeros((*left.shape[:-1], right.shape[-1]))
        for k in range(left.shape[-1]):
            term = rounded_to(form, left[..., k, None].astype(np.float64) * right[..., k, None, :].astype(np.float64))
            total = rounded_to(form, total + term)
        return {"product": total.astype(result.dtype)}

    return product


@pytest.mark.clause("conformance.26")
def test_who_declares_wider_sums_is_held_to_them() -> None:
    narrow, wide = FORMATS["bfloat16"], FORMATS["float32"]
    sloppy, careful = summed_in(narrow, narrow), summed_in(wide, narrow)
    for function, accumulates, verdict in (
        (careful, "float32", Verdict.PASSED),
        (careful, "", Verdict.PASSED),
        (sloppy, "", Verdict.PASSED),
        (sloppy, "float32", Verdict.FAILED),
        (sloppy, "bfloat16", Verdict.PASSED),
        (sloppy, "float16", Verdict.FAILED),
    ):
        found = parts(Computes(function, accumulates), LONG_SUM, narrow)["forward"]
        assert found.verdict is verdict, (accumulates, found)


@pytest.mark.clause("conformance.26")
def test_results_are_in_the_type_that_is_asked_whatever_sums_are_in() -> None:
    wide = FORMATS["float32"]
    found = parts(Computes(summed_in(wide, wide), "float32"), LONG_SUM, FORMATS["bfloat16"])["forward"]
    assert "product is float32, expected bfloat16" in found.findings


@pytest.mark.clause("conformance.26")
def test_a_report_says_what_sums_were_declared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "mixed.py"
    target.write_text(
        "import numpy as np\nDTYPES = ('float16',)\nACCUMULATES = 'float32'\n"
        "def matrix_product(left, right):\n"
        "    return (left.astype(np.float32) @ right.astype(np.float32)).astype(left.dtype)\n"
    )
    assert main(["check", str(target), "--dtype", "float16", "--in-process", "-k", "matrix_product/square"]) == 0
    assert "float16, computed in float32 as it declares" in capsys.readouterr().out
