"""The judge of everybody but the reference: compares with the truth, in bits or within derived bounds (conformance)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from attnspec.conformance.closeness import compare_tensors
from attnspec.conformance.judges import Findings, GoldenJudge, Judgement
from attnspec.conformance.known_truths import Known, KnownTruths, Truth
from attnspec.conformance.narrow_inside import FLOAT32_INSIDE, is_float32_inside
from attnspec.conformance.rounding import FloatArray, Rounding
from attnspec.corpus.axes import piece_of
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.plans import Claim, Kind, Piece, Plan
from attnspec.corpus.request import Answered, Array, Request, Value
from attnspec.numeric.formats import FORMATS, FloatFormat

_IN_BITS = (Kind.SAME, Kind.VALUES, Kind.CLEAN)
"""Claims that hold in every bit at the level `bits`, whatever tolerance the law gives the corpus."""


class _Runs(NamedTuple):
    """The case, what its law asks further, and the answers; run 0 is the case."""

    case: Request
    plan: Plan
    answers: Sequence[Answered]

    def request(self, run: int) -> Request:
        return self.case if run == 0 else self.plan.runs[run - 1]


class TruthJudge:
    """Compares answers with the truth, which is itself held to the golden first.

    Args:
        truth: who knows; the command line hands in the reference.
        level: `bits`, or `bound`.
        rounding: what the bounds admit.
        require_repeatable: whether two runs that differ within the bound fail.
        remembered: how many requests' truths are kept, fewer where they are large.
        form: the type that is asked for; the truth is that of inputs rounded to it.
        plain: the truth as it is defined, asked where it departs from a golden that has digests alone.
    """

    is_reference = False

    def __init__(
        self,
        truth: Truth,
        level: str = "bound",
        rounding: Rounding | None = None,
        require_repeatable: bool = False,
        remembered: int = 32,
        form: FloatFormat = FORMATS["float64"],
        plain: Truth | None = None,
    ) -> None:
        self.level = level
        self._form = form
        self._require_repeatable = require_repeatable
        self._rounding = rounding or Rounding()
        self._truths = KnownTruths(truth, self._rounding, form, remembered)
        self._golden = GoldenJudge(plain)

    def answer(self, fixture: Fixture, answer: Answered) -> dict[str, Judgement]:
        """Compare every output and gradient that came; a required one that did not come is a finding."""
        known = self._verified(fixture)
        if isinstance(known, str):
            return {"forward": Judgement([known])}
        operation = fixture.operation
        truth, bounds = known
        parts = {"forward": Judgement(list(answer.faults))}
        for name, value in truth.outputs.items():
            self._judge(parts["forward"], name, value, answer.outputs.get(name), bounds, name in operation.required)
        if fixture.request.upstream:
            parts["gradients"] = Judgement(remarks=[answer.no_gradients] if answer.no_gradients else [])
            for name, array in truth.gradients.items() if not answer.no_gradients else ():
                full = f"gradients.{name}"
                self._judge(parts["gradients"], full, array, answer.gradients.get(name), bounds, True)
        wrong = [part for part in parts.values() if part.findings]
        of_numbers = all(
            isinstance(found, Mismatch) and found.bound is not None for one in wrong for found in one.findings
        )
        in_float64 = of_numbers and self.level == "bound" and self._form.name == "float64"
        if wrong and in_float64 and is_float32_inside(fixture.request, truth, answer):
            for part in wrong:
                part.findings.append(FLOAT32_INSIDE)
        return parts

    def claims(self, fixture: Fixture, plan: Plan, answers: Sequence[Answered]) -> Judgement:
        """Judge the claims of a law; a replay that differs within the bound is a remark unless more was asked."""
        judgement = Judgement([fault for answer in answers[1:] for fault in answer.faults])
        runs = _Runs(fixture.request, plan, answers)
        for claim in plan.claims:
            if not claim.got.is_in(answers):
                judgement.remarks.append(f"no {claim.got.tensor}")
                continue
            try:
                self._claim(judgement, claim, runs)
            except (IndexError, ValueError):  # a tensor of another shape; `forward` says which
                judgement.findings.append(f"{claim.got.tensor} has not the shape that the law looks into")
        if self.level == "bits":  # a law with a tolerance, such as a sum of rows, says nothing of how good the bits are
            judgement.share = judgement.ulps = None
        return judgement

    def law_outputs(self, fixture: Fixture, part: str, names: Iterable[str], answer: Answered) -> Findings:
        """Say nothing: other targets are held to the truth of the perturbed inputs, see `claims`."""
        return []

    def _claim(self, judgement: Judgement, claim: Claim, runs: _Runs) -> None:
        """Judge one claim: in bits, with a tolerance of its own, or within the bounds of a truth."""
        name, got = claim.got.tensor, claim.got.of(runs.answers)
        want, bound = self._expected(claim, got, runs)
        if isinstance(want, str):
            judgement.findings.append(want)
        elif claim.kind in _IN_BITS and self._in_bits(runs.plan):
            self._equal(judgement, name, want, got)
        else:
            compare_tensors(judgement, name, want, got, bound, self._form)
            if runs.plan.is_replay:
                judgement.remarks += [f"two runs differ: {found}" for found in compare_bits(name, want, got)]

    def _in_bits(self, plan: Plan) -> bool:
        return self.level == "bits" or (plan.is_replay and self._require_repeatable)

    def _expected(self, claim: Claim, got: Array, runs: _Runs) -> tuple[Array | str, FloatArray]:
        """Return what a piece must be, and how far from it it may be; a text where no truth is known."""
        name = claim.got.tensor
        source = claim.want if isinstance(claim.want, Piece) else claim.got
        truths = [self._truths.about(runs.request(run)) for run in _runs_with_truths(claim, source)]
        if isinstance(own := truths[0], str) or isinstance(other := truths[-1], str):
            return str(next(doubt for doubt in truths if isinstance(doubt, str))), np.zeros(())
        if claim.kind is Kind.ROW_SUMS:
            return np.ones(got.shape), own[1][f"row_sums.{name}"]
        bound = _cut(claim.got, own[1], got)
        if claim.kind is Kind.ZERO:  # the bound is zero too where nothing was summed; elsewhere parts cancel
            return np.zeros(got.shape), bound if self.level == "bound" else np.zeros(got.shape)
        if claim.kind is Kind.SAME:
            return source.of(runs.answers), bound + _cut(source, other[1], got)
        want = np.asarray(source.cut(piece_of(other[0], name)))
        if claim.kind is Kind.OTHER_CASE:  # truths are apart by the law's tolerance, and by inputs that were rounded
            truth = np.asarray(claim.got.cut(piece_of(own[0], name)))
            with np.errstate(invalid="ignore"):
                bound = bound + np.where(truth == want, 0.0, np.abs(truth - want))
        return want, bound

    def _judge(
        self,
        judgement: Judgement,
        name: str,
        truth: Value,
        got: Value | None,
        bounds: Mapping[str, FloatArray],
        is_required: bool,
    ) -> None:
        if got is None:
            if is_required:
                judgement.findings.append(Mismatch(name, (), "a value", "nothing", remark="it is required"))
            return
        if self.level == "bits" or name not in bounds or not isinstance(truth, np.ndarray):
            self._equal(judgement, name, truth, got)
        else:
            compare_tensors(judgement, name, truth, got, bounds[name], self._form)

    def _equal(self, judgement: Judgement, name: str, truth: Value, got: Value) -> None:
        judgement.compared = True
        judgement.findings += compare_bits(name, truth, got)

    def _verified(self, fixture: Fixture) -> Known | str:
        """Return the truth of a case after comparing it with the golden, which is float64."""
        if self._form.name != "float64":
            return self._truths.about(fixture.request)
        return self._truths.verified(fixture.request, partial(self._doubt, fixture))

    def _doubt(self, fixture: Fixture, truth: Answered) -> str:
        wrong = [found for part in self._golden.answer(fixture, truth).values() for found in part.findings]
        return f"the truth is in doubt: the reference departs from the golden: {wrong[0]}" if wrong else ""


def _runs_with_truths(claim: Claim, source: Piece) -> tuple[int, ...]:
    """Return the run that is judged, and the one that it is compared with; what is poisoned has no truth."""
    return (source.run,) if claim.kind is Kind.CLEAN else (claim.got.run, source.run)


def _cut(piece: Piece, bounds: Mapping[str, FloatArray], got: Array) -> FloatArray:
    """Return the bounds of a piece; zero where a tensor has none, as it must be equal."""
    return np.asarray(piece.cut(bounds[piece.tensor])) if piece.tensor in bounds else np.zeros(got.shape)
