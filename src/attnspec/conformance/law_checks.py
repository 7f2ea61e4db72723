"""Hold a target to the laws of a case (conformance)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from attnspec.conformance.judges import Judge, part_of
from attnspec.conformance.target import Target, ask
from attnspec.conformance.verdicts import Part, Verdict, judged, skipped
from attnspec.corpus.fixture import Fixture, GradientCheck, Law, Perturbation, law_parts
from attnspec.corpus.goldens import loss
from attnspec.corpus.mismatch import Mismatch
from attnspec.corpus.plans import Lookup, Plan, named, plan, replay
from attnspec.corpus.request import Answered, Errored, Refused, Request, Skipped
from attnspec.numeric.gradient_check import central_differences, check_gradient


def check_laws(fixture: Fixture, answer: Answered, target: Target, judge: Judge, lookup: Lookup) -> Iterator[Part]:
    """Yield a part for the replay and for each law of the fixture."""
    yield _carry_out("replay", replay(fixture, answer), fixture, answer, target, judge)
    for name, law in law_parts(fixture):
        if judge.is_reference or not isinstance(law, GradientCheck):
            yield _check_law(name, law, fixture, answer, target, judge, lookup)


def _check_law(
    name: str, law: Law, fixture: Fixture, answer: Answered, target: Target, judge: Judge, lookup: Lookup
) -> Part:
    if isinstance(law, GradientCheck):
        try:
            return judged(name, _gradient_check(law, fixture, answer, target))
        except _StepRefused as error:
            return judged(name, [f"a step of the central differences was not answered: {error}"])
    return _carry_out(name, plan(law, fixture, lookup), fixture, answer, target, judge, law)


def _carry_out(
    name: str, law_plan: Plan, fixture: Fixture, answer: Answered, target: Target, judge: Judge, law: Law | None = None
) -> Part:
    answers = [answer]
    for request in law_plan.runs:
        match ask(target, request):
            case Answered() as reply:
                answers.append(reply)
            case Refused() as refusal if law_plan.refusal_passes:
                return Part(name, Verdict.PASSED, remark=f"refused: {refusal.message or refusal.code}")
            case Refused() as refusal:
                return judged(name, [f"refused what the law asks for: {refusal.message or refusal.code}"])
            case Skipped() as skip:
                return skipped(name, skip.reason)
            case Errored() as error:
                return Part(name, Verdict.ERRORED, (error.message,))
    judgement = judge.claims(fixture, law_plan, answers)
    if isinstance(law, Perturbation):
        judgement.findings += judge.law_outputs(fixture, name, named(law), answers[1])
    return part_of(name, judgement)


def _gradient_check(law: GradientCheck, fixture: Fixture, answer: Answered, target: Target) -> Iterator[Mismatch | str]:
    """Compare every gradient with central differences of the loss, coordinate by coordinate."""
    for name, analytic in answer.gradients.items():
        numeric = central_differences(
            lambda point, name=name: _loss_at(target, fixture.request, name, point),  # type: ignore[misc]
            np.asarray(fixture.request.inputs[name], dtype=np.float64),
            law.step,
        )
        difference, within = check_gradient(np.asarray(analytic, dtype=np.float64), numeric, law.tolerance)
        if not within:
            worst = np.unravel_index(int(np.argmax(difference)), difference.shape)
            place = tuple(map(int, worst))
            yield Mismatch(
                f"gradients.{name}",
                place,
                repr(float(numeric[place])),
                repr(float(analytic[place])),
                remark=f"central difference; scaled difference {difference[place]:.3g}, tolerance {law.tolerance:g}",
            )


def _loss_at(target: Target, request: Request, name: str, point: NDArray[np.float64]) -> float:
    moved = replace(request, inputs={**request.inputs, name: point}, upstream={})
    reply = ask(target, moved)
    if not isinstance(reply, Answered):
        raise _StepRefused(str(reply))
    return loss(request, reply)


class _StepRefused(Exception):
    """A target that answered a case does not answer it a small step away."""
