"""From what became of the cases to the report that machines read (conformance)."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import numpy as np

from attnspec import __version__
from attnspec.conformance.likely_bugs import LikelyBug
from attnspec.conformance.report import count_verdicts
from attnspec.conformance.report_model import (
    FORMAT,
    CaseResult,
    CorpusAbout,
    Finding,
    LikelyBugReport,
    Machine,
    Options,
    PartReport,
    Report,
    Software,
    Summary,
    TargetAbout,
)
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport, Part
from attnspec.corpus.legible import legible
from attnspec.corpus.mismatch import Mismatch


def document(run: Run) -> Report:
    """Return the report of a run."""
    return head(run).model_copy(update={"cases": tuple(case_results(run))})


def case_results(run: Run) -> Iterator[CaseResult]:
    """Yield what became of each case."""
    return map(_case, run.reports)


def head(run: Run) -> Report:
    """Return the report of a run without its cases."""
    declared = run.declared
    return Report(
        format=FORMAT,
        started=run.started.strftime("%Y-%m-%dT%H:%M:%SZ"),
        seconds=round(run.seconds, 3),
        interrupted=run.interrupted,
        untrue=tuple(map(legible, run.untrue)),
        checked_by=Software(attnspec=__version__, python=platform.python_version(), numpy=np.__version__),
        platform=Machine(system=platform.system(), machine=platform.machine()),
        target=TargetAbout(
            name=legible(declared.name),
            version=legible(declared.version),
            layout=declared.layout,
            exp_ulps=float(declared.exp_ulps),
            accumulates=declared.accumulates,
        ),
        options=Options(
            level=run.level,
            dtype=run.dtype,
            profiles=run.profiles,
            selection=legible(run.selection),
            require_repeatable=run.require_repeatable,
        ),
        corpus=CorpusAbout(cases=len(run.corpus), hash=run.corpus_hash),
        summary=Summary(cases=len(run.reports), **count_verdicts(run.reports)),
        likely_bugs=tuple(map(_likely_bug, run.likely_bugs)),
        cases=(),
    )


def _likely_bug(bug: LikelyBug) -> LikelyBugReport:
    twins = {twin.name: twin.bug for twin in bug.twins}
    return LikelyBugReport(twins=twins, operations=bug.operations, cases=bug.cases)


def _case(report: CaseReport) -> CaseResult:
    return CaseResult(
        id=report.case,
        operation=report.operation,
        profile=report.profile,
        verdict=report.verdict.value,
        known=report.is_known,
        clauses=report.clauses,
        parts=tuple(_part(part) for part in report.parts),
    )


def _part(part: Part) -> PartReport:
    return PartReport(
        name=part.name,
        verdict=part.verdict.value,
        findings=tuple(_finding(finding) for finding in part.findings),
        remark=legible(part.remark),
        share=part.share,
        ulps=part.ulps,
        known=legible(part.known),
    )


def _finding(finding: Mismatch | str) -> Finding:
    if isinstance(finding, str):
        return Finding(message=legible(finding))
    return Finding(
        message=legible(str(finding)),
        tensor=legible(finding.tensor),
        index=finding.index,
        expected=legible(finding.expected),
        got=legible(finding.got),
        ulps=finding.ulps,
        bound=finding.bound,
        share=finding.share,
    )
