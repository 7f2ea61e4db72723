"""Verdicts of parts and cases: passed, failed, errored, skipped (conformance)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from attnspec.corpus.mismatch import Mismatch


class Verdict(StrEnum):
    """In order of gravity; a case takes the worst of its parts that was not skipped."""

    SKIPPED = "skipped"
    PASSED = "passed"
    FAILED = "failed"
    ERRORED = "errored"


@dataclass(frozen=True, slots=True)  # thousands of them are held
class Part:
    """One thing that was asked of a target in one case: `forward`, `gradients`, or a law by name.

    Args:
        findings: what was wrong, one line each.
        remark: what else a reader should know: why it was skipped, what was left uncompared.
        share: the largest part of an error bound that was used.
        ulps: the largest distance from the truth that is within its bound.
        known: why it is known to fail, where a list of known failures says so.
    """

    name: str
    verdict: Verdict
    findings: tuple[Mismatch | str, ...] = ()
    remark: str = ""
    share: float | None = None
    ulps: int | None = None
    known: str = ""

    @property
    def is_bad(self) -> bool:
        return self.verdict in (Verdict.FAILED, Verdict.ERRORED)


@dataclass(frozen=True, slots=True)
class CaseReport:
    """What became of one case, and how many seconds it took; `about` says why it exists where something is wrong."""

    case: str
    operation: str
    profile: str
    about: str
    clauses: tuple[str, ...]
    parts: tuple[Part, ...]
    seconds: float = field(default=0.0, compare=False)

    @property
    def verdict(self) -> Verdict:
        return worst(part.verdict for part in self.parts)

    @property
    def is_known(self) -> bool:
        """Whether it failed, and in nothing that was not known."""
        bad = [part for part in self.parts if part.is_bad]
        return bool(bad) and all(part.known for part in bad)


class Sharing:
    """Lets reports share what is equal in them, so that of thousands that passed little is held but their names."""

    def __init__(self) -> None:
        self._held: dict[object, Any] = {}

    def __call__(self, report: CaseReport) -> CaseReport:
        """Return an equal report that holds the first of each equal thing."""
        return replace(
            report,
            operation=self._first(report.operation),
            profile=self._first(report.profile),
            clauses=self._first(report.clauses),
            parts=self._parts(report.parts),
        )

    def _parts(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        if any(part.findings or part.share is not None for part in parts):  # hardly the same twice
            return parts
        shared: tuple[Part, ...] = self._first(parts)
        return shared

    def _first(self, thing: Any) -> Any:
        return self._held.setdefault(thing, thing)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the gravest verdict; skipped only where everything was."""
    gravity = list(Verdict)
    return max(verdicts, key=gravity.index, default=Verdict.SKIPPED)


def judged(name: str, findings: Iterable[Mismatch | str], remark: str = "") -> Part:
    """Return a part that passes when nothing was found."""
    found = tuple(findings)
    return Part(name, Verdict.FAILED if found else Verdict.PASSED, found, remark)


def skipped(name: str, reason: str) -> Part:
    """Return a part that was not asked, and why."""
    return Part(name, Verdict.SKIPPED, remark=reason)
