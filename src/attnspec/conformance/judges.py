"""How equal is equal: the judge of the reference, which is held to bits (conformance)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from attnspec.corpus.expectations import answer_values, compare_expectations, compare_within
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import Golden, GoldenError, compare_forms, golden_path, matches, read_golden
from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.plans import Claim, Piece
from attnspec.corpus.request import Answered, Value
from attnspec.corpus.values import encode_for_reading, inputs_sha256

Findings = Sequence[Mismatch | str]


class Judge(Protocol):
    """Says where an answer, or a piece of one, is not what it should be."""

    def answer(self, fixture: Fixture, answer: Answered) -> Findings: ...

    def claim(self, claim: Claim, answers: Sequence[Answered]) -> Findings: ...

    def law_outputs(self, fixture: Fixture, part: str, names: Iterable[str], answer: Answered) -> Findings: ...


class GoldenJudge:
    """Holds the reference to its goldens in every bit, and the goldens to what was written by hand."""

    def __init__(self) -> None:
        self._last: tuple[str, Golden] | None = None

    def answer(self, fixture: Fixture, answer: Answered) -> Findings:
        """Compare everything that was computed with the golden, then with the hand-written expectations."""
        try:
            golden = self._golden(fixture)
        except GoldenError as error:
            return [str(error)]
        if golden.inputs_sha256 != inputs_sha256(fixture.request):
            return ["the golden is stale: it was made from other inputs; run tools/regenerate_goldens.py --update"]
        forms = {name: form for name, form in golden.flat().items() if not name.startswith("laws.")}
        values = answer_values(fixture, answer)
        found: list[Mismatch | str] = []
        for name in dict.fromkeys([*forms, *values]):
            if name not in values or name not in forms:
                missing = "answer" if name in forms else "golden"
                found.append(Mismatch(name, (), "a value", "nothing", remark=f"the {missing} lacks it"))
            else:
                found += _against_form(name, forms[name], values[name])
        return [*found, *compare_expectations(fixture, answer)]

    def claim(self, claim: Claim, answers: Sequence[Answered]) -> Findings:
        """Compare two pieces: bits, unless the law gives a tolerance."""
        got = claim.got.of(answers)
        want = claim.want.of(answers) if isinstance(claim.want, Piece) else np.broadcast_to(claim.want, got.shape)
        if claim.within is None:
            return compare_bits(claim.got.tensor, np.ascontiguousarray(want), np.ascontiguousarray(got))
        return compare_within(claim.got.tensor, want, got, claim.within, "law")

    def law_outputs(self, fixture: Fixture, part: str, names: Iterable[str], answer: Answered) -> Findings:
        """Compare the outputs of a perturbed run with those that the golden holds."""
        try:
            forms = self._golden(fixture).parts.get("laws", {}).get(part, {})
        except GoldenError as error:
            return [str(error)]
        found: list[Mismatch | str] = []
        for name in names:
            if name in forms:
                found += _against_form(name, forms[name], answer.outputs[name])
            else:
                found.append(f"the golden lacks laws.{part}.{name}; run tools/regenerate_goldens.py --update")
        return found

    def _golden(self, fixture: Fixture) -> Golden:
        if self._last is None or self._last[0] != fixture.id:
            self._last = (fixture.id, read_golden(golden_path(fixture.path)))
        return self._last[1]


def _against_form(name: str, form: object, value: Value) -> list[Mismatch]:
    return [] if matches(form, value) else compare_forms(name, form, encode_for_reading(value))
