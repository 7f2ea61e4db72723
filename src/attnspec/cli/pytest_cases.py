"""The cases of a run of pytest: who is asked what, and a test for each (conformance)."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from attnspec.cli.common import UsageFault, open_corpus, selected_fixtures
from attnspec.cli.failures import print_failure
from attnspec.cli.known import open_known_failures
from attnspec.cli.prepare import asked_profiles, prepare
from attnspec.cli.setup import Setup
from attnspec.conformance import runner
from attnspec.conformance.verdicts import CaseReport, Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.legible import legible

NAME = "attnspec"
PREFIX = f"{NAME}::"


class Asked:
    """What is asked of whom.

    Args:
        options: as `attnspec check` takes them.

    Raises:
        UsageFault: there is no such profile, corpus or list of known failures.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.profiles = asked_profiles(options)
        self.corpus = open_corpus(options)
        self.known = open_known_failures(options.known_failures)
        self.wanted: list[str] = []
        self._setup: Setup | None = None

    def start(self) -> Setup:
        """Start the target where it does not run yet.

        Raises:
            UsageFault: it does not start.
        """
        if self._setup is None:
            self._setup = prepare(self.options)
        return self._setup

    def close(self) -> None:
        """End the target's process."""
        if self._setup is not None:
            self._setup.close()
            self._setup = None

    def cases(self) -> Iterator[Fixture]:
        """Yield the fixtures of the profiles that are asked; where some were named, those below the names."""
        for fixture in selected_fixtures(self.corpus, None):
            is_wanted = not self.wanted or any(_is_of(wanted, fixture.id) for wanted in self.wanted)
            if fixture.profile in self.profiles and is_wanted:
                yield fixture

    def ask(self, path: Path) -> CaseReport:
        """Ask one case, and mark what is known to fail in it."""
        setup = self.start()
        (report,) = runner.run([self.corpus.read_path(path)], setup.target, setup.judge, self.corpus.read)
        return self.known.mark(report)


class Cases(pytest.Collector):
    """The cases that are asked."""

    asked: Asked

    @classmethod
    def of(cls, session: pytest.Session, asked: Asked) -> Cases:
        cases: Cases = cls.from_parent(session, name=NAME, nodeid=NAME)
        cases.asked = asked
        return cases

    def collect(self) -> Iterable[pytest.Item]:
        try:
            found = [Case.of(self, fixture) for fixture in self.asked.cases()]
        except UsageFault as fault:
            raise self.CollectError(str(fault)) from None
        for wanted in self.asked.wanted:
            if not any(_is_of(wanted, case.name) for case in found):
                raise self.CollectError(f"{wanted}: no case of the profiles {', '.join(self.asked.profiles)}")
        return found


class Case(pytest.Item):
    """One case, named by its id."""

    asked: Asked
    place: Path
    report: CaseReport | None = None

    @classmethod
    def of(cls, cases: Cases, fixture: Fixture) -> Case:
        case: Case = cls.from_parent(cases, name=fixture.id)
        case.asked, case.place = cases.asked, fixture.path
        case.add_marker(NAME)
        return case

    def runtest(self) -> None:
        """Ask the case; what is known to fail is an xfail, and fails where it passes."""
        report = self.report = self.asked.ask(self.place)
        self.user_properties += _properties(report)
        passed = [str(fault) for fault in self.asked.known.unexpected_passes([report])]
        if report.verdict in (Verdict.FAILED, Verdict.ERRORED) and not report.is_known:
            raise Departs("\n".join([_failure(report), *passed]), _first_finding(report))
        if passed:
            raise Departs("\n".join(passed), passed[0])
        if report.is_known:
            pytest.xfail("; ".join(dict.fromkeys(part.known for part in report.parts if part.known)))
        if report.verdict is Verdict.SKIPPED:
            pytest.skip("; ".join(dict.fromkeys(part.remark for part in report.parts if part.remark)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what was found, and no traceback: there is nothing of interest on the way."""
        if not isinstance(excinfo.value, Departs):
            return super().repr_failure(excinfo, style)
        shown = excinfo.getrepr(style="native")
        shown.reprtraceback.reprentries[0].lines = [f"{excinfo.value}\n"]
        if shown.reprcrash is not None:
            shown.reprcrash.path, shown.reprcrash.lineno = str(self.place), 1
            shown.reprcrash.message = excinfo.value.summary
        return shown

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The fixture, and what heads the failure."""
        return self.place, 0, self.name


class Departs(Exception):
    """A case failed, or passed though it is known to fail: all there is to say, and the first of it in one line."""

    def __init__(self, text: str, summary: str) -> None:
        super().__init__(text)
        self.summary = summary


def _is_of(wanted: str, case: str) -> bool:
    """Whether a node id is that of a case, of a folder above it, or of all cases."""
    return wanted == PREFIX or f"{PREFIX}{case}/".startswith(f"{wanted}/")


def _failure(report: CaseReport) -> str:
    """What `attnspec check` prints of a case that failed."""
    text = io.StringIO()
    print_failure(Console(file=text, highlight=False, soft_wrap=True, force_terminal=False), report)
    return text.getvalue().strip("\n")


def _first_finding(report: CaseReport) -> str:
    part = next(part for part in report.parts if part.is_bad and not part.known)
    return f"{part.name}: {legible(str(part.findings[0])) if part.findings else part.verdict}"


def _properties(report: CaseReport) -> Iterator[tuple[str, object]]:
    """What JUnit should know: what the case shows, what became of its parts, how much of its bounds was used."""
    yield "clauses", " ".join(report.clauses)
    yield "profile", report.profile
    yield "parts", ", ".join(f"{part.name} {part.verdict}" for part in report.parts)
    used = [(part.share, part.ulps) for part in report.parts if part.share is not None]
    if used:
        share, ulps = max(used, key=lambda one: one[0])
        yield "share", float(share)
        yield "ulps", ulps
