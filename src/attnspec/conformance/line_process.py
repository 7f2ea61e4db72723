"""A command that is sent lines and answers each with one; what it does instead is an exception (conformance)."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

PATIENCE = 2.0  # seconds for a process that was asked to stop
_BUFFER = 2**20


class Silent(Exception):
    """No answer came; the text says why."""


_running: set[LineProcess] = set()


def kill_all() -> None:
    """End every process that was started here and has not been ended, without waiting for one."""
    for process in list(_running):
        process.kill_group()


class LineProcess:
    """A running command; its standard error is that of this process.

    Args:
        command: what to run, word by word.

    Raises:
        Silent: it cannot be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=_BUFFER,
                start_new_session=True,  # so that what it starts can be killed with it
            )
        except OSError as error:
            raise Silent(f"{shlex.join(command)}: cannot be started: {error.strerror}") from None
        _running.add(self)
        self._outbox: SimpleQueue[bytes] = SimpleQueue()
        self._inbox: SimpleQueue[bytes | Silent] = SimpleQueue()
        self._turns: SimpleQueue[int] = SimpleQueue()
        threading.Thread(target=self._write, daemon=True).start()
        threading.Thread(target=self._read, daemon=True).start()

    def exchange(self, line: bytes, timeout: float, longest: int) -> bytes:
        """Send a line and return the next one that comes.

        Args:
            line: ends with a line feed.
            timeout: seconds; a process that does not read is as late as one that does not write.
            longest: the most bytes that an answer may have.

        Raises:
            Silent: nothing came in time, the process ended, or its line is too long.
        """
        self._outbox.put(line)
        self._turns.put(longest)
        try:
            answer = self._inbox.get(timeout=timeout)
        except Empty:
            raise Silent(f"no answer within {timeout:g} s") from None
        if isinstance(answer, Silent):
            raise answer
        if not answer:
            raise Silent(self._obituary())
        return answer

    def end(self, line: bytes) -> None:
        """Ask the process to stop with a last line; kill it where it does not."""
        self._outbox.put(line)
        try:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)
        finally:  # whoever interrupts the wait has left no process behind either
            self.kill()

    def kill(self) -> None:
        """End the process and what it started, whatever they do."""
        self.kill_group()  # which may live on when it has ended
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._outbox.put(b"")
        self._turns.put(0)
        _running.discard(self)

    def kill_group(self) -> None:
        """Kill the process and what it started, where the system knows groups."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _obituary(self) -> str:
        """Say how the process ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        status = self._process.returncode
        if status is None:
            return "closed its output"
        if status >= 0:
            return f"ended with status {status}"
        names = {one.value: one.name for one in signal.Signals}
        return f"died of {names.get(-status, f'signal {-status}')}"

    def _write(self) -> None:
        """Send what is put into the outbox; where the process is gone, its reader will say so."""
        assert self._process.stdin is not None
        with suppress(ValueError, OSError), self._process.stdin as stream:
            for line in iter(self._outbox.get, b""):
                stream.write(line)
                stream.flush()

    def _read(self) -> None:
        """Read one line at each turn, so that what nobody asked for stays in the pipe; an empty line is the end."""
        assert self._process.stdout is not None
        with suppress(ValueError, OSError), self._process.stdout as stream:
            for longest in iter(self._turns.get, 0):
                pieces = [stream.readline(_BUFFER)]
                while len(pieces[-1]) == _BUFFER and not pieces[-1].endswith(b"\n"):
                    pieces.append(stream.readline(_BUFFER))
                    if len(pieces) * _BUFFER > longest + _BUFFER:
                        self._inbox.put(Silent(f"a line of more than {longest:,} bytes"))
                        return
                self._inbox.put(b"".join(pieces))
