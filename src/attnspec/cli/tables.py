"""The tables of a run: how many cases of each topic and of each profile have which verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from rich.table import Table

from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.report import count_apart
from attnspec.conformance.verdicts import CaseReport

STYLES = {"passed": "green", "failed": "bold red", "errored": "bold magenta", "skipped": "yellow", "known": "cyan"}


def verdict_tables(reports: Sequence[CaseReport]) -> tuple[Table, Table]:
    """Return a table with a row for each topic, and one for each profile that was run, of the same widths."""
    is_known = any(report.is_known for report in reports)
    columns = [name for name in STYLES if name != "known" or is_known]
    topics = _grouped(reports, lambda report: report.operation)
    profiles = _grouped(reports, lambda report: report.profile)
    width = max(map(len, (*topics, *profiles, "profile")))
    run = {name: profiles[name] for name in PROFILES if name in profiles}
    return _table("topic", topics, width, columns), _table("profile", run, width, columns)


Groups = dict[str, list[CaseReport]]


def _grouped(reports: Sequence[CaseReport], key: Callable[[CaseReport], str]) -> Groups:
    groups: Groups = defaultdict(list)
    for report in reports:
        groups[key(report)].append(report)
    return groups


def _table(head: str, groups: Groups, width: int, columns: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(head, min_width=width)
    for verdict in columns:
        table.add_column(verdict, justify="right")
    for name, reports in groups.items():
        counts = count_apart(reports)
        table.add_row(name, *(_count(verdict, counts[verdict]) for verdict in columns))
    return table


def _count(verdict: str, count: int) -> str:
    return f"[{STYLES[verdict]}]{count}[/]" if count else "[dim]·[/]"
