"""How many cases have which verdict, and the exit status that follows (conformance)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attnspec.conformance.verdicts import CaseReport, Verdict

EXIT_PASSED, EXIT_FAILED, EXIT_NOTHING = 0, 1, 2


def count_verdicts(reports: Sequence[CaseReport]) -> dict[str, int]:
    """Return how many cases have each verdict, and how many of them failed in nothing that is not `known`."""
    counts = Counter(report.verdict for report in reports)
    known = sum(report.is_known for report in reports)
    return {verdict.value: counts[verdict] for verdict in Verdict} | {"known": known}


def count_apart(reports: Sequence[CaseReport]) -> dict[str, int]:
    """Return how many cases have each verdict, where a known failure is `known` and not failed or errored."""
    counts = Counter("known" if report.is_known else report.verdict.value for report in reports)
    return {name: counts[name] for name in (*map(str, Verdict), "known")}


def exit_status(reports: Sequence[CaseReport]) -> int:
    """Return 0 when a case passed or is known to fail and no other failed, 2 when nothing could be checked, else 1."""
    counts = count_apart(reports)
    if counts["failed"] or counts["errored"]:
        return EXIT_FAILED
    return EXIT_PASSED if counts["passed"] or counts["known"] else EXIT_NOTHING
