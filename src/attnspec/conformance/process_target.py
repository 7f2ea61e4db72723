"""A target in a process of its own: what breaks there costs one case and a restart, never the run (conformance)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from types import TracebackType

from attnspec.conformance.json_lines import ProtocolFault
from attnspec.conformance.line_process import LineProcess, Silent
from attnspec.conformance.protocol import (
    LONGEST,
    longest_reply,
    read_declaration,
    read_reply,
    run_line,
    start_line,
    stop_line,
)
from attnspec.conformance.signals import put_off
from attnspec.conformance.target import Declaration, TargetFault
from attnspec.corpus.request import Errored, Reply, Request, Skipped

START_TIMEOUT = 120.0  # seconds; frameworks take their time to import


class ProcessTarget:
    """Asks a command that speaks the protocol on its standard streams.

    Args:
        command: what to run, word by word.
        timeout: seconds that one request may take.

    Raises:
        TargetFault: it does not start, or speaks another format.
    """

    def __init__(self, command: Sequence[str], timeout: float = 60.0) -> None:
        self._command = list(command)
        self._timeout = timeout
        self._number = 0
        self._process: LineProcess | None = None
        self.declaration = self._start()

    def answer(self, request: Request) -> Reply:
        """Ask a request; whatever goes wrong in the process becomes a reply that says what it was."""
        if request.operation not in self.declaration.operations:
            return Skipped(f"no {request.operation}")
        if request.released and not self.declaration.has_tape:
            return Skipped("no tape")
        if self._process is None:
            try:
                self._start()
            except TargetFault as fault:
                return Errored(f"could not be restarted: {fault}")
        self._number += 1
        try:
            return read_reply(self._exchange(self._number, request), self._number, request.operation)
        except ProtocolFault as fault:
            self._kill()
            return Errored(f"broken reply: {fault}")
        except Silent as silence:
            self._kill()
            return Errored(str(silence))

    def close(self) -> None:
        """Ask the process to stop; kill it where it does not."""
        process, self._process = self._process, None
        if process is not None:
            process.end(stop_line())

    def __enter__(self) -> ProcessTarget:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> Declaration:
        if not self._command:
            raise TargetFault("cmd: names no command; cmd:COMMAND LINE is expected")
        try:
            with put_off():  # a signal in between would leave behind a process that nobody knows
                self._process = LineProcess(self._command)
            return read_declaration(self._process.exchange(start_line(), START_TIMEOUT, LONGEST))
        except (ProtocolFault, TargetFault, Silent) as fault:
            self._kill()
            raise TargetFault(f"the target does not start: {fault} ({shlex.join(self._command)})") from None
        except BaseException:  # an interrupt while it starts
            self._kill()
            raise

    def _exchange(self, number: int, request: Request) -> bytes:
        assert self._process is not None
        return self._process.exchange(run_line(number, request), self._timeout, longest_reply(request))

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
