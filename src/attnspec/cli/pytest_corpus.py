"""The hooks of a run of pytest that asks the corpus of a target (conformance)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress

import pytest

from attnspec.cli.common import UsageFault
from attnspec.cli.known import case_ids
from attnspec.cli.pytest_cases import NAME, PREFIX, Asked, Case, Cases
from attnspec.conformance.known_failures import KnownFailures
from attnspec.conformance.profiles import PROFILES
from attnspec.conformance.verdicts import CaseReport, Part, Verdict


class CorpusPlugin:
    """Takes the corpus into a run, and ends the target with it.

    Args:
        config: of the run.
        options: as `attnspec check` takes them.

    Raises:
        UsageFault: they cannot be followed.
    """

    def __init__(self, config: pytest.Config, options: argparse.Namespace) -> None:
        self._config = config
        self._asked = Asked(options)
        self._reports: list[CaseReport] = []
        self._faults: list[str] = []
        self._is_controller = config.pluginmanager.hasplugin("dsession")  # of xdist: its workers ask
        if config.getoption("runxfail"):
            self._asked.known = KnownFailures()
        config.add_cleanup(self._close)
        if self._is_controller:  # a target that does not start is told here, in one line
            self._start()
            self._close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Take ids of cases out of what pytest looks for in files."""
        if not self._is_controller:
            self._asked.wanted = [text for text in self._config.args if text.startswith(PREFIX)]
            self._config.args = [text for text in self._config.args if not text.startswith(PREFIX)]

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Put the corpus behind what pytest collects itself."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.append(Cases.of(collector, self._asked))
        return report

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Start the target where a case will be asked."""
        if any(isinstance(item, Case) for item in session.items) and not self._config.getoption("collectonly"):
            try:
                self._start()
            except UsageFault as fault:
                raise pytest.UsageError(*str(fault).splitlines()) from None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the verdicts along to the process that hears of every case."""
        report = yield
        if isinstance(item, Case) and call.when == "call" and item.report is not None:
            parts = [[part.name, part.verdict.value] for part in item.report.parts]
            report.attnspec_case = [item.name, parts]  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the verdicts of a case."""
        if hasattr(report, "attnspec_case"):
            case, parts = report.attnspec_case
            verdicts = tuple(Part(name, Verdict(verdict)) for name, verdict in parts)
            self._reports.append(CaseReport(case, "", "", "", (), verdicts))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run where the list of known failures is not true in a way that no single case can tell."""
        if hasattr(self._config, "workerinput") or not self._asked.known.entries:
            return
        stale = self._asked.known.stale_entries(self._reports, case_ids(self._asked.corpus))
        self._faults = [str(fault) for fault in stale]
        if stale and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_report_header(self) -> str:
        """Say what is asked of whom."""
        asked = self._asked
        return f"{NAME}: {asked.options.target}, profiles {', '.join(asked.profiles)}, corpus {asked.corpus.root}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell where the list is not true, and what was not asked."""
        if self._faults:
            terminalreporter.section(f"{NAME}: the list of known failures is not true", red=True)
            for fault in self._faults:
                terminalreporter.line(fault)
        not_run = [name for name in PROFILES if name not in self._asked.profiles]
        if self._reports and not_run:
            terminalreporter.line(f"{NAME}: not run: profiles {', '.join(not_run)}")

    def _start(self) -> None:
        """Start the target where pytest captures, so that what it prints is shown with the case that fails."""
        with self._capture():
            self._asked.start()

    def _close(self) -> None:
        with self._capture():
            self._asked.close()

    @contextmanager
    def _capture(self) -> Iterator[None]:
        """Keep what is printed, and show it only where the target does not start."""
        capture = self._config.pluginmanager.getplugin("capturemanager")
        if capture is None:
            yield
            return
        printed = ""
        capture.resume_global_capture()
        try:
            yield
        except UsageFault:
            printed = capture.read_global_capture().err
            raise
        finally:
            capture.suspend_global_capture()
            with suppress(AssertionError):  # pytest's way to say that an interrupt has ended the capturing
                capture.read_global_capture()
            sys.stderr.write(printed)
