"""The summary of a run, for machines (conformance)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from attnspec.conformance.verdicts import CaseReport, Part, Verdict
from attnspec.corpus.mismatch import Mismatch

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


def to_json(target: dict[str, Any], corpus: dict[str, Any], reports: Sequence[CaseReport]) -> dict[str, Any]:
    """Return the report as `check --json` writes it."""
    return {
        "target": target,
        "corpus": corpus,
        "summary": count_verdicts(reports) | {"cases": len(reports)},
        "cases": [_case(report) for report in reports],
    }


def _case(report: CaseReport) -> dict[str, Any]:
    return {
        "id": report.case,
        "operation": report.operation,
        "profile": report.profile,
        "verdict": report.verdict.value,
        "clauses": list(report.clauses),
        "parts": [_part(part) for part in report.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    form: dict[str, Any] = {"name": part.name, "verdict": part.verdict.value}
    if part.findings:
        form["findings"] = [_finding(finding) for finding in part.findings]
    return form | ({"remark": part.remark} if part.remark else {})


def _finding(finding: Mismatch | str) -> dict[str, Any]:
    if isinstance(finding, str):
        return {"message": finding}
    return {
        "message": str(finding),
        "tensor": finding.tensor,
        "index": list(finding.index),
        "expected": finding.expected,
        "got": finding.got,
        "ulps": finding.ulps,
    }
