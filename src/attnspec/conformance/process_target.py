"""A target in a process of its own: a crash or an endless loop costs one case and a restart, never the run."""

from __future__ import annotations

import queue
import shlex
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

from attnspec.conformance.protocol import (
    ProtocolFault,
    read_declaration,
    read_reply,
    run_line,
    start_line,
    stop_line,
)
from attnspec.conformance.target import Declaration, TargetFault
from attnspec.corpus.request import Errored, Reply, Request, Skipped

START_TIMEOUT = 120.0  # seconds; frameworks take their time to import
PATIENCE = 2.0  # for a process that was asked to stop


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
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
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
            return read_reply(self._exchange(run_line(self._number, request), self._timeout), self._number)
        except ProtocolFault as fault:
            self._kill()
            return Errored(f"broken reply: {fault}")
        except _Silent as silence:
            return Errored(str(silence))

    def close(self) -> None:
        """Ask the process to stop; kill it where it does not."""
        if self._process is None:
            return
        threading.Thread(target=_write_line, args=(self._process, stop_line()), daemon=True).start()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        self._kill()

    def __enter__(self) -> ProcessTarget:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self) -> Declaration:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise TargetFault(f"{shlex.join(self._command)}: cannot be started: {error.strerror}") from None
        self._lines = queue.Queue()
        threading.Thread(target=_read_lines, args=(self._process, self._lines), daemon=True).start()
        try:
            return read_declaration(self._exchange(start_line(), START_TIMEOUT))
        except (ProtocolFault, TargetFault, _Silent) as fault:
            self._kill()
            raise TargetFault(f"the target does not start: {fault} ({shlex.join(self._command)})") from None

    def _exchange(self, line: str, timeout: float) -> str:
        """Send a line and return the answer; a process that does not read is as late as one that does not write."""
        threading.Thread(target=_write_line, args=(self._process, line), daemon=True).start()
        return self._receive(timeout)

    def _receive(self, timeout: float) -> str:
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            self._kill()
            raise _Silent(f"no answer within {timeout:g} s") from None
        if not line:
            raise _Silent(self._obituary())
        return line

    def _obituary(self) -> str:
        """Say how the process ended."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        status = self._process.returncode
        self._kill()
        if status is not None and status < 0:
            return f"died of {signal.Signals(-status).name}"
        return f"ended with status {status}" if status is not None else "closed its output"

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


class _Silent(Exception):
    """No answer came; the text says why."""


def _write_line(process: subprocess.Popen[str], line: str) -> None:
    """Write to a process; where it is gone, or is killed meanwhile, its reader will say so."""
    assert process.stdin is not None
    with suppress(ValueError, OSError):
        process.stdin.write(line)
        process.stdin.flush()


def _read_lines(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Put each line of a process's output into a queue, and an empty one at its end."""
    assert process.stdout is not None
    with suppress(ValueError, OSError):
        for line in process.stdout:
            lines.put(line)
    lines.put("")
