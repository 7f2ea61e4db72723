"""Sides of a comparison that run elsewhere: commands, and functions in a process of their own."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any
from unittest.mock import patch

from _benchmark_rows import Disagreement
from _benchmark_timing import Here
from _checkout import ROOT
from _portability_settings import Setting

_CHILD = Path(__file__).with_name("_benchmark_child.py")
PATIENCE = 5.0  # seconds for a process to end


@dataclass(frozen=True)
class Ran:
    """What became of a command: its time, the most memory that it or a process of its own held, what it printed."""

    seconds: float
    mebibytes: float
    status: int
    said: str


@dataclass
class Command:
    """A command that ends with this status; `runs` keeps what became of it each time."""

    name: str
    words: Sequence[str]
    parts: int = 1
    status: int = 0
    runs: list[Ran] = field(default_factory=list)

    def seconds(self, calls: int) -> float:
        return sum(self.run().seconds for _ in range(calls))

    def run(self) -> Ran:
        """Run the command.

        Raises:
            Disagreement: its status is another one.
        """
        with ExitStack() as stack:
            with _held_back():
                words = [sys.executable, "-I", "-S", str(_CHILD), *self.words]
                process = subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT, env=_environment(), process_group=0)
                stack.callback(_end_group, process)
            told, _ = process.communicate()
        self.runs.append(Ran(**json.loads(told)))
        if self.runs[-1].status != self.status:
            last = (self.runs[-1].said.strip().splitlines() or ["nothing was said"])[-1]
            raise Disagreement(f"{self.name}: status {self.runs[-1].status} ({last})")
        return self.runs[-1]


def _environment() -> dict[str, str]:
    """Return that of this process, where modules are compiled once, as they are for who installed them."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Elsewhere:
    """A process that calls one function at a time and measures it there, so that no message is part of a time.

    Args:
        threads: of BLAS, which takes their number from the environment when NumPy is loaded; 0 leaves it as it is.
    """

    def __init__(self, threads: int = 0) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        resource_tracker.ensure_running()  # its start would let Ctrl-C through again
        with _held_back(), patch.dict(os.environ, Setting(threads=threads).environment()):
            self._process.start()
        theirs.close()

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._process.join(0.0 if kind else PATIENCE)
        self._process.kill()
        self._process.join()

    def side(self, name: str, make: Callable[..., Callable[[], Any]], *given: Any) -> Call:
        """Return the side that calls what `make` returns there; it takes the place of the one before."""
        self.ask((make, given))
        return Call(name, self)

    def ask(self, message: Any) -> Any:
        """Send a message, and return the answer.

        Raises:
            Disagreement: the process ended.
        """
        try:
            self._connection.send(message)
            return self._connection.recv()
        except (EOFError, OSError):
            raise Disagreement("a process of the benchmark ended before its time") from None


@dataclass(frozen=True)
class Call:
    """The function of a process, as a side."""

    name: str
    process: Elsewhere
    parts: int = 1

    def seconds(self, calls: int) -> float:
        return float(self.process.ask(calls))

    def result(self) -> Any:
        """Return what the function returns."""
        return self.process.ask(None)


def _serve(connection: Connection) -> None:
    function: Callable[[], Any] = time.perf_counter
    try:
        while True:
            match connection.recv():
                case (make, given):
                    function = make(*given)
                    connection.send(None)
                case int(calls):
                    connection.send(Here("", function).seconds(calls))
                case _:
                    connection.send(function())
    except (EOFError, OSError):  # the benchmark is done with it
        pass


@contextmanager
def _held_back() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts.

    Then none starts that nobody ends; and the new one, which takes over what is blocked, never sees Ctrl-C: it ends
    with this one, and says nothing.
    """
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that still runs, and all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
