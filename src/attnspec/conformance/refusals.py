"""Refusals that a case expects against what a target said (conformance)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from attnspec.conformance.verdicts import Part, Verdict, judged, skipped
from attnspec.corpus.fixture import Fixture, Rejection
from attnspec.corpus.request import Answered, Errored, Refused, Reply, Skipped


def check_refusal(fixture: Fixture, expected: Rejection, reply: Reply, compare_details: bool) -> Part:
    """Judge the reply to a rejected case; details count for the reference and are a remark for others."""
    match reply:
        case Answered():
            return judged("forward", [f"answered; expected the refusal {expected.error} {dict(expected.details)}"])
        case Skipped(reason):
            return skipped("forward", reason)
        case Errored(message):
            return Part("forward", Verdict.ERRORED, (message,))
        case Refused(None, _, message):
            return Part("forward", Verdict.PASSED, remark=f"uncoded: {message}")
        case Refused(code, _, message) if code != expected.error:
            return judged("forward", [f"wrong code: expected {expected.error}, got {code} ({message})"])
        case Refused(_, details, _):
            wrong = list(_differing(expected.details, details))
            if compare_details:
                return judged("forward", wrong)
            return Part("forward", Verdict.PASSED, remark="; ".join(wrong))


def _differing(expected: Mapping[str, object], got: Mapping[str, object], path: str = "details") -> Iterator[str]:
    for name in dict.fromkeys([*expected, *got]):
        left, right = expected.get(name), got.get(name)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            yield from _differing(left, right, f"{path}.{name}")
        elif not _same(left, right):
            yield f"{path}.{name}: expected {left!r}, got {right!r}"


def _same(left: object, right: object) -> bool:
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    if isinstance(left, Sequence) and not isinstance(left, str):
        return isinstance(right, Sequence) and list(left) == list(right)
    return left == right
