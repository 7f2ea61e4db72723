"""Ask a target every selected case and give each a verdict (conformance)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from attnspec.conformance.judges import Judge, part_of
from attnspec.conformance.law_checks import check_laws
from attnspec.conformance.refusals import check_refusal
from attnspec.conformance.target import Target, ask
from attnspec.conformance.verdicts import CaseReport, Part, Verdict, judged, skipped
from attnspec.corpus.fixture import Fixture, GradientCheck, law_parts
from attnspec.corpus.plans import Lookup
from attnspec.corpus.request import Answered, Errored, Refused, Skipped


def run(fixtures: Iterable[Fixture], target: Target, judge: Judge, lookup: Lookup) -> Iterator[CaseReport]:
    """Yield a report per case, in the order of the fixtures.

    Args:
        fixtures: the cases to ask.
        target: who answers.
        judge: how equal is equal.
        lookup: from a case id to its fixture, for laws that speak of another case.
    """
    for fixture in fixtures:
        yield report_on(fixture, target, judge, lookup)


def report_on(fixture: Fixture, target: Target, judge: Judge, lookup: Lookup) -> CaseReport:
    """Return what became of one case; why it exists is kept only where something is wrong."""
    start = time.perf_counter()
    parts = tuple(check_case(fixture, target, judge, lookup))
    return CaseReport(
        fixture.id,
        fixture.operation.name,
        fixture.profile,
        fixture.about if any(part.is_bad for part in parts) else "",
        fixture.clauses,
        parts,
        time.perf_counter() - start,
    )


def check_case(fixture: Fixture, target: Target, judge: Judge, lookup: Lookup) -> Iterator[Part]:
    """Yield the parts of one case: `forward`, `gradients` where there is an upstream, and each law."""
    reply = ask(target, fixture.request)
    if fixture.rejects is not None:
        details_count = judge.is_reference or target.declaration.has_details
        yield check_refusal(fixture, fixture.rejects, reply, details_count)
        return
    if isinstance(reply, Answered):
        for name, judgement in judge.answer(fixture, reply).items():
            yield part_of(name, judgement)
        yield from check_laws(fixture, reply, target, judge, lookup)
        return
    for name in _part_names(fixture, judge.is_reference):
        match reply:
            case Refused(code, _, message):
                yield judged(name, [f"refused an accepted input: {code or 'no code'} ({message})"])
            case Errored(message):
                yield Part(name, Verdict.ERRORED, (message,))
            case Skipped(reason):
                yield skipped(name, reason)


def _part_names(fixture: Fixture, with_gradient_check: bool) -> list[str]:
    gradients = ["gradients"] if fixture.request.upstream else []
    laws = (name for name, law in law_parts(fixture) if with_gradient_check or not isinstance(law, GradientCheck))
    return ["forward", *gradients, "replay", *laws]
