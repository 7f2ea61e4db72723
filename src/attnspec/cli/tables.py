"""The tables of a run: how many cases of each topic and of each profile have which verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from rich.table import Table

from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.report import count_verdicts
from attnspec.conformance.verdicts import CaseReport

STYLES = {"passed": "green", "failed": "bold red", "errored": "bold magenta", "skipped": "yellow"}


def verdict_tables(reports: Sequence[CaseReport]) -> tuple[Table, Table]:
    """Return a table with a row for each topic, and one for each profile that was run, of the same widths."""
    topics = _grouped(reports, lambda report: report.operation)
    profiles = _grouped(reports, lambda report: report.profile)
    width = max(map(len, (*topics, *profiles, "profile")))
    run = {name: profiles[name] for name in PROFILES if name in profiles}
    return _table("topic", topics, width), _table("profile", run, width)


Groups = dict[str, list[CaseReport]]


def _grouped(reports: Sequence[CaseReport], key: Callable[[CaseReport], str]) -> Groups:
    groups: Groups = defaultdict(list)
    for report in reports:
        groups[key(report)].append(report)
    return groups


def _table(head: str, groups: Groups, width: int) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(head, min_width=width)
    for verdict in STYLES:
        table.add_column(verdict, justify="right")
    for name, reports in groups.items():
        counts = count_verdicts(reports)
        table.add_row(name, *(_count(verdict, counts[verdict]) for verdict in STYLES))
    return table


def _count(verdict: str, count: int) -> str:
    return f"[{STYLES[verdict]}]{count}[/]" if count else "[dim]·[/]"
