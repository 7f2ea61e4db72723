"""What was asked of whom, and what came of it: all that a report tells (conformance)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.target import Declaration
from attnspec.conformance.verdicts import CaseReport
from attnspec.corpus.store import Corpus

if TYPE_CHECKING:
    from attnspec.conformance.likely_bugs import LikelyBug


@dataclass(frozen=True)
class Run:
    """A run that is over.

    Args:
        declared: what the target says of itself.
        level: `bits` or `bound`.
        dtype: the type that it was asked in.
        profiles: what was asked.
        selection: the expression that case ids had to match; empty for all.
        require_repeatable: whether two runs had to agree in every bit.
        corpus: the fixtures and the clauses.
        corpus_hash: of the fixtures.
        reports: what became of each case.
        started: in UTC.
        seconds: how long it took.
        interrupted: whether it was stopped before its end.
        untrue: what is wrong with the list of known failures, a line each.
    """

    declared: Declaration
    level: str
    dtype: str
    profiles: tuple[str, ...]
    selection: str
    require_repeatable: bool
    corpus: Corpus
    corpus_hash: str
    reports: tuple[CaseReport, ...]
    started: datetime
    seconds: float
    interrupted: bool = False
    untrue: tuple[str, ...] = ()

    @property
    def not_run(self) -> tuple[str, ...]:
        return tuple(name for name in PROFILES if name not in self.profiles)

    @cached_property
    def likely_bugs(self) -> tuple[LikelyBug, ...]:
        """What the failures have in common with those of the broken twins."""
        if not any(part.is_bad for report in self.reports for part in report.parts):
            return ()
        from attnspec.conformance.likely_bugs import likely_bugs
        from attnspec.conformance.signatures import read_signatures

        return likely_bugs(self.reports, self.level, read_signatures(self.corpus.spec))
