"""How many cases have which verdict, and the exit status that follows (conformance)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attnspec.conformance.verdicts import CaseReport, Verdict

EXIT_PASSED, EXIT_FAILED, EXIT_NOTHING = 0, 1, 2


def count_verdicts(reports: Sequence[CaseReport]) -> dict[str, int]:
    """Return how many cases have each verdict."""
    counts = Counter(report.verdict for report in reports)
    return {verdict.value: counts[verdict] for verdict in Verdict}


def exit_status(reports: Sequence[CaseReport]) -> int:
    """Return 0 when at least one case passed and none failed or errored, 2 when nothing could be checked, else 1."""
    counts = count_verdicts(reports)
    if counts["failed"] or counts["errored"]:
        return EXIT_FAILED
    return EXIT_PASSED if counts["passed"] else EXIT_NOTHING
