"""How equal is equal: what every judge says, and the judge of the reference, held to its goldens (conformance)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np

from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.expectations import answer_values, compare_expectations, compare_within
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import Golden, GoldenError, compare_forms, forms_of, golden_path, read_golden
from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.plans import Claim, Piece, Plan
from attnspec.corpus.recomputing import in_elements, plain_values
from attnspec.corpus.request import Answered, Reply, Request
from attnspec.corpus.values import inputs_sha256

Findings = list[Mismatch | str]


@dataclass
class Judgement:
    """What was found wrong, what was left uncompared and why, and how much of the error bounds was used."""

    findings: Findings = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    compared: bool = False
    share: float | None = None
    ulps: int | None = None


def part_of(name: str, judgement: Judgement) -> Part:
    """Return the verdict on a part: skipped where nothing could be compared."""
    remark = "; ".join(dict.fromkeys(judgement.remarks))
    passed = Verdict.PASSED if judgement.compared else Verdict.SKIPPED
    verdict = Verdict.FAILED if judgement.findings else passed
    return Part(name, verdict, tuple(judgement.findings), remark, judgement.share, judgement.ulps)


class Judge(Protocol):
    """Says where an answer, or a piece of one, is not what it should be."""

    is_reference: bool
    """Whether details of refusals, stored outputs of laws, and gradient checks count."""

    def answer(self, fixture: Fixture, answer: Answered) -> Mapping[str, Judgement]:
        """Return a judgement of the part `forward`, and of `gradients` where there are some."""
        ...

    def claims(self, fixture: Fixture, plan: Plan, answers: Sequence[Answered]) -> Judgement:
        """Judge what a law claims of the runs of its plan."""
        ...

    def law_outputs(self, fixture: Fixture, part: str, names: Iterable[str], answer: Answered) -> Findings:
        """Judge the outputs of a perturbed run against those that the golden holds."""
        ...


class GoldenJudge:
    """Holds the reference to its goldens in every bit, and the goldens to what was written by hand.

    Args:
        plain: the reference as it is defined, asked where a golden has digests alone, which know no element.
    """

    is_reference = True

    def __init__(self, plain: Callable[[Request], Reply] | None = None) -> None:
        self._plain = plain
        self._last: tuple[str, Golden] | None = None

    def answer(self, fixture: Fixture, answer: Answered) -> dict[str, Judgement]:
        """Compare everything that was computed with the golden, then with the hand-written expectations."""
        names = ("forward", "gradients") if fixture.request.upstream else ("forward",)
        parts = {name: Judgement(compared=True) for name in names}
        for found in self._against_golden(fixture, answer):
            of_gradients = isinstance(found, Mismatch) and found.tensor.startswith("gradients.")
            parts["gradients" if of_gradients and "gradients" in parts else "forward"].findings.append(found)
        return parts

    def claims(self, fixture: Fixture, plan: Plan, answers: Sequence[Answered]) -> Judgement:
        """Compare pieces: bits, unless the law gives a tolerance."""
        return Judgement([found for claim in plan.claims for found in _exact_claim(claim, answers)], compared=True)

    def law_outputs(self, fixture: Fixture, part: str, names: Iterable[str], answer: Answered) -> Findings:
        """Compare the outputs of a perturbed run with those that the golden holds."""
        try:
            forms = self._golden(fixture).parts.get("laws", {}).get(part, {})
        except GoldenError as error:
            return [str(error)]
        outputs = {name: answer.outputs[name] for name in names if name in answer.outputs}
        return [*compare_forms(forms, forms_of(outputs))]

    def _against_golden(self, fixture: Fixture, answer: Answered) -> Findings:
        try:
            golden = self._golden(fixture)
        except GoldenError as error:
            return [str(error)]
        if golden.inputs_sha256 != inputs_sha256(fixture.request):
            return ["the golden is stale: it was made from other inputs; run tools/regenerate_goldens.py --update"]
        if golden.case != fixture.id:
            return [f"the golden says it is of {golden.case!r}; run tools/regenerate_goldens.py --update"]
        forms = {name: form for name, form in golden.flat().items() if not name.startswith("laws.")}
        values = answer_values(fixture, answer)
        found = compare_forms(forms, forms_of(values))
        if self._plain is not None:
            found = in_elements(found, forms, values, partial(plain_values, fixture, self._plain))
        return [*found, *compare_expectations(fixture, answer)]

    def _golden(self, fixture: Fixture) -> Golden:
        if self._last is None or self._last[0] != fixture.id:
            self._last = (fixture.id, read_golden(golden_path(fixture.path)))
        return self._last[1]


def _exact_claim(claim: Claim, answers: Sequence[Answered]) -> list[Mismatch]:
    got = claim.got.of(answers)
    want = claim.want.of(answers) if isinstance(claim.want, Piece) else np.broadcast_to(claim.want, got.shape)
    if claim.within is None:
        return compare_bits(claim.got.tensor, np.ascontiguousarray(want), np.ascontiguousarray(got))
    return compare_within(claim.got.tensor, want, got, claim.within, "law")
