"""What the results of record say of each implementation: rows of README.md's table, read from spec/results/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attnspec.conformance.narrow_inside import FLOAT32_INSIDE
from attnspec.conformance.report_model import CaseResult, PartReport, Report

BLOCKED_OVERFLOW = "causal_attention/overflowing_blocked_score"
POISONED = ("causal_attention/poisoned_key", "causal_attention/poisoned_value")
WIDTH_MISMATCH = "causal_attention/rejected/width_mismatch"
FAULTS = {
    "rank 2": "causal_attention/rejected/query_rank",
    "unequal batches": "causal_attention/rejected/batch_mismatch",
    "width 0": "causal_attention/rejected/zero_widths",
}
"""What the specification refuses and many accept."""
COLUMNS = (
    "implementation",
    "version",
    "type",
    "core",
    "gradients",
    "of its bound",
    "blocked score overflows",
    "NaN behind the mask reaches",
    "width mismatch",
    "accepts",
)
_SHORT = {"output": "output", "gradients.query": "dQ", "gradients.key": "dK", "gradients.value": "dV"}


@dataclass(frozen=True)
class Record:
    """A report that stands in spec/results/."""

    name: str
    report: Report

    @property
    def cases(self) -> dict[str, CaseResult]:
        return {case.id: case for case in self.report.cases}

    def cells(self) -> list[str]:
        """Return the row of the table, by column."""
        return [
            f"`{self.name}`",
            self.report.target.version,
            self.report.options.dtype,
            self.core(),
            self.gradients(),
            self.share(),
            self.blocked_overflow(),
            self.leaks(),
            self.width_mismatch(),
            self.accepts(),
        ]

    def core(self) -> str:
        """Say how many of the cases of `core` that it was asked it passed."""
        asked = [case for case in self.report.cases if case.profile == "core" and case.verdict != "skipped"]
        passed = sum(case.verdict == "passed" for case in asked)
        return f"{passed} of {len(asked)}"

    def gradients(self) -> str:
        """Say whether it has gradients in `core`, and whether one was wrong; a refused case has none."""
        parts = [part for part in self._parts("core") if part.name == "gradients"]
        if any(finding.tensor for part in parts for finding in part.findings):
            return "wrong"
        return "right" if any(part.verdict == "passed" for part in parts) else "none"

    def share(self) -> str:
        """Say what share of a bound was used, or that most wrong answers kept the bounds of float32."""
        parts = list(self._parts("core"))
        wrong = sum(any(finding.tensor for finding in part.findings) for part in parts)
        inside = sum(finding.message == FLOAT32_INSIDE for part in parts for finding in part.findings)
        if inside > wrong / 2:
            return f"float32 inside ({inside} times)"
        shares = [part.share for part in parts if part.share is not None and not part.findings]
        return f"{max(shares):.0%}" if shares else ""

    def blocked_overflow(self) -> str:
        """Say what became of a blocked score that overflows."""
        case = self.cases.get(BLOCKED_OVERFLOW)
        if case is None or case.verdict == "skipped":
            return ""
        findings = [finding for part in case.parts for finding in part.findings]
        if any(finding.got == "nan" for finding in findings):
            return "NaN"
        if any(finding.message == FLOAT32_INSIDE for finding in findings):
            return "right, in float32"
        if any(part.verdict == "skipped" for part in case.parts if part.name.startswith("isolation")):
            return ""  # no such score in this type
        return "right" if case.verdict == "passed" else _unanswered(case) or "wrong"

    def leaks(self) -> str:
        """Say which tensors a NaN in a blocked key, and then in a blocked value, reaches."""
        return " / ".join(self._reached(self.cases.get(case)) for case in POISONED).strip(" /")

    def width_mismatch(self) -> str:
        """Say what a key of another width raises."""
        case = self.cases.get(WIDTH_MISMATCH)
        if case is None or case.verdict == "skipped":
            return ""
        said = [part.remark or " ".join(finding.message for finding in part.findings) for part in case.parts]
        kind = re.search(r"\b([A-Z]\w*(?:Error|Exception|Fail|Fault|InvalidArgument))\b", " ".join(said))
        if case.verdict == "passed":
            return kind.group(1) if kind else "a code"
        return "accepted" if "answered" in said[0] else f"breaks: {kind.group(1) if kind else 'unnamed'}"

    def accepts(self) -> str:
        """Say which faults it answers."""
        answered = {
            case.id
            for case in self.report.cases
            for part in case.parts
            for finding in part.findings
            if finding.message.startswith("answered")
        }
        return ", ".join(fault for fault, case in FAULTS.items() if case in answered)

    def _parts(self, profile: str) -> Iterator[PartReport]:
        for case in self.report.cases:
            if case.profile == profile:
                yield from case.parts

    @staticmethod
    def _reached(case: CaseResult | None) -> str:
        if case is None or case.verdict == "skipped":
            return ""
        tensors = [
            _SHORT.get(finding.tensor or "", finding.tensor)
            for part in case.parts
            for finding in part.findings
            if finding.got == "nan"
        ]
        return ", ".join(dict.fromkeys(filter(None, tensors))) or _unanswered(case) or "nothing"


def _unanswered(case: CaseResult) -> str:
    """Say what stands in the place of an answer."""
    if case.verdict == "errored":
        return "breaks"
    messages = [finding.message for part in case.parts for finding in part.findings]
    return "refused" if any(message.startswith("refused an accepted input") for message in messages) else ""


def records(folder: Path) -> list[Record]:
    """Return the results of record by name; the widest type of an implementation comes first."""
    found = [
        Record(path.name.split(".")[0], Report.model_validate_json(path.read_bytes()))
        for path in sorted(folder.glob("*.json"))
    ]
    return sorted(
        found,
        key=lambda record: (
            record.name,
            -int(re.sub(r"\D", "", record.report.options.dtype)),
            record.report.options.dtype,
        ),
    )
