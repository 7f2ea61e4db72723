"""From a report to JSON text and back, with one line on what is wrong with a text that is none (conformance)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from attnspec.conformance.report_model import CaseResult, Report


class UnreadableReport(ValueError):
    """A text that is no report; the message is one line that says where it departs from the form."""


def read_report(text: str | bytes) -> Report:
    """Return the report that a text holds.

    Raises:
        UnreadableReport: it holds none.
    """
    try:
        report = Report.model_validate_json(text)
    except ValidationError as error:
        first, *others = error.errors(include_url=False)
        place = ".".join(map(str, first["loc"]))
        more = f" (and {len(others)} more)" if others else ""
        raise UnreadableReport(f"{place + ': ' if place else ''}{first['msg']}{more}") from None
    ids = [case.id for case in report.cases]
    twice = next((case for case in ids if ids.count(case) > 1), None) if len(set(ids)) < len(ids) else None
    if twice is not None:
        raise UnreadableReport(f"cases: {twice} stands there twice")
    return report


def write_report(report: Report) -> str:
    """Return the report as JSON text, a case per line; what is absent or empty is left out."""
    return "".join(report_lines(report, report.cases))


def report_lines(head: Report, cases: Iterable[CaseResult]) -> Iterator[str]:
    """Yield the text of a report with these cases, so that thousands of them never stand in memory as text."""
    entries = head.model_dump(mode="json", exclude_defaults=True, exclude={"cases"})
    yield json.dumps(entries, ensure_ascii=False, indent=1).removesuffix("\n}") + ',\n "cases": ['
    comma = ""
    for case in cases:
        yield f"{comma}\n  {json.dumps(case.model_dump(mode='json', exclude_defaults=True), ensure_ascii=False)}"
        comma = ","
    yield "\n ]\n}\n"
