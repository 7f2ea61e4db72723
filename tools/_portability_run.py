"""One platform of check_portability.py: it is started, asked everything, and what it answers is compared."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from _portability_compare import Difference, differences
from _portability_settings import AS_IS, Setting
from _portability_tasks import Task, write_requests

WORKER = Path(__file__).with_name("_portability_worker.py")
_LEFT_OUT = ("PYTHON", "NPY_", "OPENBLAS", "OMP_", "MKL_")
"""Variables that would be a setting of their own."""
_EXCEPTION = re.compile(r"[A-Za-z_.]+(Error|Warning|Exception): ")


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
            raise Broken(f"ended with status {done.returncode}: {_last_words(done.stderr.decode(errors='replace'))}")
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
        if self.setting.threads and description["threads"] != self.setting.threads:
            raise Broken(f"threads are {description['threads']}, not {self.setting.threads}")


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
            for difference in differences(task, reply, partial(_placed, task, platform, source))
        ]
    except Broken as broken:
        return Result(platform, fault=str(broken))
    return Result(platform, description, sum(task.values for task in tasks), tuple(found))


def _last_words(said: str) -> str:
    """Return the last line, or where a traceback stands, its exception with every line of the message."""
    lines = said.strip().splitlines() or ["nothing was said"]
    named = [place for place, line in enumerate(lines) if _EXCEPTION.match(line)]
    return " ".join(" ".join(lines[named[-1] if named else -1 :]).split())[:300]


def _placed(task: Task, platform: Platform, source: Path) -> Any:
    """Ask again for one task, now where its large tensors differ."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "request"
        write_requests([task], place)
        for name, tensor in task.large_here().items():
            np.save(Path(folder) / f"0.{name}.npy", tensor)
        return platform.run(source, str(place), "--against", folder)[1]["placed"]
