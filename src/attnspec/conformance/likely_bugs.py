"""What a run has in common with the broken twins: the same cases, wrong in the same places (conformance)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attnspec.conformance.signatures import Failures, Signature, Signatures, marks_of
from attnspec.conformance.verdicts import CaseReport, Verdict
from attnspec.corpus.vocabulary import OPERATIONS

FEWEST_CASES = 2  # one case alone is failed by many an unrelated bug,
FEWEST_PLACES = 3  # and two masks alike are little
MOST_BUGS = 3  # that are told of one run


@dataclass(frozen=True)
class LikelyBug:
    """Twins that fail the very cases that a target failed.

    Args:
        twins: more than one where the cases that were asked do not tell them apart.
        operations: in which.
        cases: how many.
    """

    twins: tuple[Signature, ...]
    operations: tuple[str, ...]
    cases: int


def likely_bugs(reports: Sequence[CaseReport], level: str, signatures: Signatures) -> tuple[LikelyBug, ...]:
    """Return the bugs that explain what failed, the one that explains most first; none for an operation twice.

    Args:
        reports: what became of the cases.
        level: how close answers had to be.
        signatures: of the twins; those of another level are passed over.
    """
    by_operation: dict[str, list[CaseReport]] = defaultdict(list)
    for report in reports:
        if report.case in signatures.cases and report.verdict is not Verdict.SKIPPED:
            by_operation[report.operation].append(report)
    left = [_Asked.of(operation, found) for operation, found in by_operation.items()]
    twins = [twin for twin in signatures.twins if twin.level == level]
    bugs: list[LikelyBug] = []
    while len(bugs) < MOST_BUGS and (best := _best(left, twins)):
        bugs.append(best)
        left = [asked for asked in left if asked.operation not in best.operations]
    return tuple(bugs)


# What was asked of one operation, and how a twin compares


@dataclass(frozen=True)
class _Asked:
    operation: str
    parts: Mapping[str, frozenset[str]]  # of each case, those that were not skipped
    profiles: Mapping[str, str]
    failures: Failures
    silent: frozenset[str]  # intermediates that nothing was said of: not handed out, or right everywhere

    @classmethod
    def of(cls, operation: str, reports: Sequence[CaseReport]) -> _Asked:
        failures = {report.case: marks for report in reports if (marks := marks_of(report.parts))}
        seen = {mark.partition("/")[2] for marks in failures.values() for mark in marks}
        return cls(
            operation,
            {
                report.case: frozenset(part.name for part in report.parts if part.verdict is not Verdict.SKIPPED)
                for report in reports
            },
            {report.case: report.profile for report in reports},
            failures,
            frozenset(OPERATIONS[operation].outputs) - frozenset(OPERATIONS[operation].required) - seen,
        )

    def failures_of(self, twin: Signature) -> Failures:
        """What the twin fails of what was asked here."""
        kept = {
            case: frozenset(mark for mark in twin.fails[case] if self._was_asked(case, *mark.split("/")))
            for case in self.parts
            if case in twin.fails
        }
        return {case: marks for case, marks in kept.items() if marks}

    def _was_asked(self, case: str, part: str, tensor: str) -> bool:
        if tensor.startswith("gradients.") and "gradients" not in self.parts[case]:  # a law may speak of them
            return False
        return part in self.parts[case] and tensor not in self.silent

    def is_explained(self, theirs: Failures, profiles: tuple[str, ...]) -> bool:
        """Say whether what failed is what the twin fails; where nothing passed, that tells nothing."""
        cases = [case for case, profile in self.profiles.items() if profile in profiles]
        own = {case: self.failures[case] for case in cases if case in self.failures}
        return own == theirs and 0 < len(own) < len(cases)


def _best(left: Sequence[_Asked], twins: Sequence[Signature]) -> LikelyBug | None:
    """Return the bug that explains most cases; of equals the one that fails least beside them."""
    ranks: dict[Signature, tuple[int, int]] = {}
    operations: dict[Signature, tuple[str, ...]] = {}
    for twin in twins:
        fails = [(asked, asked.failures_of(twin)) for asked in left]
        shared = [(asked, theirs) for asked, theirs in fails if theirs and asked.failures]
        if all(asked.is_explained(theirs, twin.profiles) for asked, theirs in shared):
            cases = sum(len(theirs) for _, theirs in shared)
            places = sum(len(marks) for _, theirs in shared for marks in theirs.values())
            if cases >= FEWEST_CASES and places >= FEWEST_PLACES:
                ranks[twin] = (cases, cases - sum(len(theirs) for _, theirs in fails))
                operations[twin] = tuple(asked.operation for asked, _ in shared)
    if not ranks:
        return None
    highest = max(ranks.values())
    alike = [twin for twin, rank in ranks.items() if rank == highest]
    where = operations[alike[0]]
    return LikelyBug(tuple(twin for twin in alike if operations[twin] == where), where, highest[0])
