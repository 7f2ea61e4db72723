"""Sides of a comparison that run elsewhere: commands, and functions in a process of their own."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from _benchmark_rows import Disagreement
from _benchmark_timing import Here
from _checkout import ROOT

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
        words = [sys.executable, "-I", "-S", str(_CHILD), *self.words]
        told = subprocess.run(words, stdout=subprocess.PIPE, cwd=ROOT, check=True).stdout
        self.runs.append(Ran(**json.loads(told)))
        if self.runs[-1].status != self.status:
            last = (self.runs[-1].said.strip().splitlines() or ["nothing was said"])[-1]
            raise Disagreement(f"{self.name}: status {self.runs[-1].status} ({last})")
        return self.runs[-1]


class Elsewhere:
    """A process that calls one function at a time and measures it there, so that no message is part of a time."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._process.join(PATIENCE)
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
    except (EOFError, KeyboardInterrupt):  # the benchmark is done with it
        pass
