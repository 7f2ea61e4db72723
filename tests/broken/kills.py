"""Which cases fail which broken twin: the measure of the corpus."""

from __future__ import annotations

import ast
import multiprocessing
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attnspec.conformance.judges import Judge
from attnspec.conformance.runner import check_case
from attnspec.conformance.signatures import Marks, marks_of
from attnspec.conformance.target import Target
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.corpus.axes import TOKENS, length_of
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.store import Corpus
from attnspec.targets.loading import load_target
from attnspec.targets.reference import Reference

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CORPUS = Corpus(ROOT / "fixtures", ROOT / "spec")
HEADER = ("BUG_KIND", "LEVEL", "PROFILES", "BREAKS")
CORRECT = {"bound": HERE / "correct.py", "bits": HERE / "correct_to_the_bit.py"}
MOST_TOKENS = 32  # longer cases are slow, and tell nothing that a short one does not


@dataclass(frozen=True)
class Twin:
    """A file with one bug, and what its header says of it.

    Args:
        path: the file.
        bug: what is wrong, in words.
        kind: an id of the list of reported bugs, or a short word.
        level: how close an answer must be to the truth for the bug to show.
        profiles: where it is caught.
        breaks: the clauses that it violates.
        is_reference: it changes the reference itself, which answers for details and released tapes too.
    """

    path: Path
    bug: str
    kind: str
    level: str
    profiles: tuple[str, ...]
    breaks: tuple[str, ...]
    is_reference: bool = False

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def operations(self) -> frozenset[str]:
        """Only these can fail: the pages of the clauses that it breaks."""
        return frozenset(clause.split(".")[0] for clause in self.breaks)


@dataclass(frozen=True)
class Kill:
    """A case that a twin fails, and where it is wrong."""

    case: str
    profile: str
    clauses: tuple[str, ...]
    marks: Marks = frozenset()


@cache
def fixtures() -> tuple[Fixture, ...]:
    return tuple(CORPUS)


@cache
def twins() -> tuple[Twin, ...]:
    """Return every twin, by name."""
    paths = [path for path in sorted(HERE.glob("*.py")) if "\nBUG_KIND = " in path.read_text(encoding="utf-8")]
    return tuple(read_header(path) for path in paths)


def read_header(path: Path) -> Twin:
    """Read what a file says of itself, without running it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    kind, level, profiles, breaks = (ast.literal_eval(said[name]) for name in HEADER)
    return Twin(path, ast.get_docstring(tree) or "", kind, level, profiles, breaks, "TARGET" in said)


def kills(twin: Twin) -> tuple[Kill, ...]:
    """Return the cases that a twin fails and the correct implementation that it comes from passes."""
    target = load_target(str(twin.path))
    judge = judge_of(twin.level)
    excused = frozenset() if twin.is_reference else failed_by_the_correct(twin.level)
    return tuple(
        Kill(fixture.id, fixture.profile, fixture.clauses, marks)
        for fixture in fixtures()
        if fixture.operation.name in twin.operations
        and fixture.profile in twin.profiles
        and fixture.id not in excused
        and is_small(fixture)
        and (marks := marks_in(fixture, target, judge))
    )


@cache
def all_kills(jobs: int = 2) -> dict[str, tuple[Kill, ...]]:
    """Return the kills of every twin by its name; the truth is computed once and shared by the processes."""
    for level in CORRECT:
        failed_by_the_correct(level)
    slowest_first = sorted(twins(), key=lambda twin: twin.level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # some versions warn of a fork beside threads
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
            found = dict(zip((twin.name for twin in slowest_first), pool.map(kills, slowest_first), strict=True))
    return {twin.name: found[twin.name] for twin in twins()}


@cache
def failed_by_the_correct(level: str) -> frozenset[str]:
    """Return the cases that the correct implementation of a level does not pass: they speak of no twin."""
    target = load_target(str(CORRECT[level]))
    return frozenset(
        fixture.id for fixture in fixtures() if is_small(fixture) and fails(fixture, target, judge_of(level))
    )


def fails(fixture: Fixture, target: Target, judge: Judge) -> bool:
    """Say whether a case fails or breaks down, in any of its parts."""
    return bool(marks_in(fixture, target, judge))


def marks_in(fixture: Fixture, target: Target, judge: Judge) -> Marks:
    """Return where a case is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return marks_of(check_case(fixture, target, judge, CORPUS.read))


@cache
def judge_of(level: str) -> TruthJudge:
    """Return the judge of a level; it remembers every truth, since hundreds of twins ask for the same ones."""
    return TruthJudge(Reference().answer, level, remembered=100_000)


def is_small(fixture: Fixture) -> bool:
    """Say whether a case is short enough to ask every twin."""
    try:
        return length_of(fixture.request, TOKENS) <= MOST_TOKENS
    except (KeyError, IndexError):  # no token axis in this operation, or not in this refused input
        return True
