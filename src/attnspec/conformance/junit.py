"""A run as JUnit XML, for systems that show tests: a suite per topic, a case per case (conformance)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from attnspec import __version__
from attnspec.conformance.run import Run
from attnspec.conformance.verdicts import CaseReport, Verdict
from attnspec.corpus.legible import legible

_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def junit(run: Run) -> str:
    """Return the XML of a run; a known failure counts as skipped."""
    topics: dict[str, list[CaseReport]] = defaultdict(list)
    for report in run.reports:
        topics[report.operation].append(report)
    root = Element("testsuites", name=f"attnspec {legible(run.declared.name)}")
    for topic, reports in topics.items():
        root.append(_suite(topic, [_case(report) for report in reports], run))
    if run.untrue:
        root.append(_suite("known_failures", [_untrue(line) for line in run.untrue], run))
    _count(root, list(root.iter("testcase")))
    ElementTree.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(name: str, cases: Sequence[Element], run: Run) -> Element:
    suite = Element("testsuite", name=name, timestamp=run.started.strftime("%Y-%m-%dT%H:%M:%S"))
    about = {
        "attnspec": __version__,
        "target": run.declared.name,
        "target_version": run.declared.version,
        "level": run.level,
        "dtype": run.dtype,
        "corpus_hash": run.corpus_hash,
    }
    if run.interrupted:
        about["interrupted"] = "true"
    _add_properties(suite, about)
    suite.extend(cases)
    _count(suite, cases)
    return suite


def _count(element: Element, cases: Sequence[Element]) -> None:
    element.set("tests", str(len(cases)))
    for tag, name in _COUNTED.items():
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")


def _untrue(line: str) -> Element:
    """Return a failure of the list of known failures itself."""
    case = Element("testcase", classname="known_failures", name=legible(line), time="0.000")
    SubElement(case, "failure", type="untrue", message=legible(line))
    return case


def _case(report: CaseReport) -> Element:
    folder, name = report.case.rsplit("/", 1) if "/" in report.case else ("", report.case)
    case = Element("testcase", classname=folder.replace("/", "."), name=name, time=f"{report.seconds:.3f}")
    about = {"clauses": " ".join(report.clauses), "profile": report.profile}
    most = max(
        (part for part in report.parts if part.share is not None), key=lambda part: part.share or 0.0, default=None
    )
    if most is not None:
        about |= {"share": repr(most.share), "ulps": str(most.ulps)}
    _add_properties(case, about)
    _add_outcome(case, report)
    return case


def _add_outcome(case: Element, report: CaseReport) -> None:
    if report.is_known:
        reasons = dict.fromkeys(part.known for part in report.parts if part.known)
        SubElement(case, "skipped", type="known", message=legible(f"known failure: {'; '.join(reasons)}"))
    elif report.verdict in (Verdict.FAILED, Verdict.ERRORED):
        lines = list(_findings(report))
        tag = "failure" if report.verdict is Verdict.FAILED else "error"
        outcome = SubElement(case, tag, type=report.verdict.value, message=lines[0])
        outcome.text = "\n".join(
            [f"why it exists: {legible(report.about)}", f"clauses: {', '.join(report.clauses)}", *lines]
        )
    elif report.verdict is Verdict.SKIPPED:
        reasons = dict.fromkeys(part.remark for part in report.parts if part.remark)
        SubElement(case, "skipped", type="skipped", message=legible("; ".join(reasons)))


def _findings(report: CaseReport) -> Iterator[str]:
    for part in report.parts:
        if part.is_bad:
            for finding in part.findings:
                yield legible(f"{part.name}: {finding}")


def _add_properties(element: Element, about: Mapping[str, str]) -> None:
    properties = SubElement(element, "properties")
    for name, value in about.items():
        SubElement(properties, "property", name=name, value=legible(value))
