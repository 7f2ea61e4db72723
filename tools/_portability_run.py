"""One platform of check_portability.py: it is started, asked everything, and what it answers is compared by bits."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from _portability_settings import AS_IS, Setting
from _portability_tasks import Task, write_requests
from _portability_worker import form, full_names
from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.request import Answered, Value
from attnspec.corpus.values import decode
from attnspec.numeric.binary64 import to_bits
from attnspec.targets.reference import Reference

WORKER = Path(__file__).with_name("_portability_worker.py")
_LEFT_OUT = ("PYTHON", "NPY_", "OPENBLAS", "OMP_", "MKL_")
"""Variables that would be a setting of their own."""


class Broken(Exception):
    """A platform that gave no answer, or not what was asked for; the message is one line."""


@dataclass(frozen=True)
class Platform:
    """A Python with a NumPy, and how it is set.

    Args:
        name: what the table calls it; nothing where its machine says enough.
        command: what starts Python.
        folders: where its modules are, beside the sources.
        environment: what its Python needs beside that.
        setting: what is switched off, which kernel, how many threads.
        timeout: seconds for everything that it is asked.
    """

    name: str
    command: tuple[str, ...]
    folders: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    setting: Setting = AS_IS
    timeout: float = 600.0

    def run(self, source: Path, *arguments: str) -> list[dict[str, Any]]:
        """Run the worker with the sources of a folder, and return what it says, the description first.

        Raises:
            Broken: it ends otherwise than well, or is not what it was set to be.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
        added = {"PYTHONPATH": os.pathsep.join([str(source), *self.folders]), "PYTHONNOUSERSITE": "1"}
        threads = ["--threads", str(self.setting.threads)] if self.setting.threads else []
        try:
            done = subprocess.run(
                [*self.command, "-W", "error::ImportWarning", str(WORKER), *arguments, *threads],
                env=kept | added | self.setting.environment() | dict(self.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.timeout,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Broken(str(error)) from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise Broken(f"ended with status {done.returncode}: {said[-1] if said else 'nothing was said'}")
        told = [json.loads(line) for line in done.stdout.splitlines()]
        self._check(told[0], source)
        return told

    def _check(self, description: Mapping[str, Any], source: Path) -> None:
        """Raise Broken where a setting had no effect: what was compared would be the same platform twice."""
        if description["source"] != str(source.resolve()):
            raise Broken(f"attnspec came from {description['source']}, not from {source}")
        still_on = [name for name in self.setting.off if name in description["features"]]
        if still_on:
            raise Broken(f"{', '.join(still_on)} could not be switched off")
        if self.setting.kernel and description["kernel"].lower() != self.setting.kernel.lower():
            raise Broken(f"the kernel is {description['kernel']}, not {self.setting.kernel}")


@dataclass(frozen=True)
class Difference:
    """A value that came out otherwise: of which case, where, and the bits of both."""

    case: str
    mismatch: Mismatch
    expected_bits: str = ""
    got_bits: str = ""

    def __str__(self) -> str:
        bits = f"; bits {self.expected_bits}, got {self.got_bits}" if self.got_bits else ""
        return f"{self.case}: {self.mismatch}{bits}"


@dataclass(frozen=True)
class Result:
    """What a platform is and what came of asking it; `fault` says why nothing did."""

    platform: Platform
    description: Mapping[str, Any] = field(default_factory=dict)
    values: int = 0
    differences: tuple[Difference, ...] = ()
    fault: str = ""

    @property
    def equal(self) -> bool:
        return not self.differences and not self.fault


def run(platform: Platform, source: Path, tasks: Sequence[Task], requests: Path) -> Result:
    """Ask a platform everything in a file of requests, and compare.

    Args:
        platform: who is asked.
        source: the folder that holds the package whose reference is asked.
        tasks: what is in the file.
        requests: the file.
    """
    try:
        description, *replies = platform.run(source, str(requests))
        if [reply["id"] for reply in replies] != list(range(len(tasks))):
            raise Broken(f"{len(replies)} answers to {len(tasks)} requests")
        found = [
            difference
            for task, reply in zip(tasks, replies, strict=True)
            if reply["inputs"] != task.inputs
            or any(reply["forms"].get(name) != one for name, one in task.expected.items())
            for difference in _differences(task, reply, platform, source)
        ]
    except Broken as broken:
        return Result(platform, fault=str(broken))
    return Result(platform, description, sum(task.values for task in tasks), tuple(found))


def _differences(task: Task, reply: Mapping[str, Any], platform: Platform, source: Path) -> Iterator[Difference]:
    if reply["inputs"] != task.inputs:
        yield Difference(task.name, Mismatch("inputs", (), "as they were written", "others: they are read otherwise"))
        return
    if "refused" in reply:
        yield Difference(task.name, Mismatch("outputs", (), "an answer", reply["refused"]))
        return
    whole = None
    for name, expected in task.expected.items():
        got = reply["forms"].get(name)
        if got == expected:
            continue
        if got is None:
            yield Difference(task.name, Mismatch(name, (), "a value", "nothing"))
        elif isinstance(expected, dict) and "rows" in expected:
            whole = whole or _whole(task, platform, source)
            yield _of_large(task, name, expected, got, decode(whole[name]))
        else:
            yield _of_values(task, name, decode(expected), decode(got))


def _whole(task: Task, platform: Platform, source: Path) -> dict[str, Any]:
    """Ask again for one task, now for the bits of large tensors."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "request"
        write_requests([task], place)
        forms: dict[str, Any] = platform.run(source, str(place), "--whole")[1]["forms"]
        return forms


def _of_large(task: Task, name: str, expected: Mapping[str, Any], told: Mapping[str, Any], got: Value) -> Difference:
    """Find the element by computing it here; where this machine does not give the golden either, name the row."""
    plain = task.plain
    if plain is None:
        answer = Reference().answer(task.request)
        assert isinstance(answer, Answered)  # the golden holds one
        plain = dict(full_names(task.request, answer))
    if form(plain[name]) == expected:
        return _of_values(task, name, plain[name], got)
    pairs = zip(expected["rows"], told["rows"], strict=False)
    row, (want, have) = next((row, pair) for row, pair in enumerate(pairs) if pair[0] != pair[1])
    index = tuple(map(int, np.unravel_index(row, expected["shape"][:-1])))
    return Difference(task.name, Mismatch(name, index, "this row's digest", "another"), want, have)


def _of_values(task: Task, name: str, expected: Value, got: Value) -> Difference:
    (mismatch,) = compare_bits(name, expected, got)
    if not isinstance(expected, np.ndarray) or not isinstance(got, np.ndarray) or expected.shape != got.shape:
        return Difference(task.name, mismatch)
    (left,), (right,) = (to_bits(np.asarray(one[mismatch.index])) for one in (expected, got))
    return Difference(task.name, mismatch, left, right)
