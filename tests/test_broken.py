"""Wrong implementations are caught, each where its header says, and right ones are not."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import warnings
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "broken"))

from kill_table import KillTable, kill_table
from kills import (
    CORPUS,
    CORRECT,
    HERE,
    Twin,
    failed_by_the_correct,
    fails,
    fixtures,
    is_small,
    judge_of,
    read_header,
    twins,
)

from attnspec.cli import main
from attnspec.conformance.profiles import PROFILES
from attnspec.corpus.fixture import Fixture
from attnspec.targets.loading import load_target
from house.sources import holds

KINDS_IN_SCOPE = (
    *("C1", "C2", "D1", "E3", "F1", "F2", "G1", "G1b", "H1", "I1", "I2", "J1", "J2", "J3", "J4", "J6", "J9", "K1"),
    *("L1", "L2", "L3", "M1", "N1", "N2", "N3", "N4", "N6", "N8", "O1", "O3", "O5", "Q1", "S1"),
)


@cache
def table() -> KillTable:
    return kill_table()


@pytest.mark.parametrize("twin", twins(), ids=lambda twin: twin.name)
def test_a_twin_fails_in_each_of_its_profiles_a_case_that_cites_a_clause_it_breaks(twin: Twin) -> None:
    assert [profile for profile in twin.profiles if table().passes(twin, profile)] == []


@pytest.mark.parametrize("twin", twins(), ids=lambda twin: twin.name)
def test_a_header_is_complete(twin: Twin) -> None:
    holds(header_faults(twin))


def test_every_kind_of_reported_bug_in_scope_has_a_twin() -> None:
    assert sorted(set(KINDS_IN_SCOPE) - {twin.kind for twin in twins()}) == []


@pytest.mark.parametrize("name", ["correct", "correct_in_isolation", "correct_to_the_bit"])
def test_a_correct_implementation_passes_everything_at_its_level(name: str) -> None:
    level, profiles = said_by(HERE / f"{name}.py")
    target = load_target(str(HERE / f"{name}.py"))
    asked = [fixture for fixture in fixtures() if fixture.profile in profiles and answerable(fixture, level)]
    assert len(asked) > 200
    assert [fixture.id for fixture in asked if fails(fixture, target, judge_of(level))] == []


def test_what_the_correct_ones_do_not_pass_is_outside_of_what_they_promise() -> None:
    """So every case that no twin is measured by belongs to the profile of overflow and order of leaves."""
    profiles = {CORPUS.read(case).profile for level in CORRECT for case in failed_by_the_correct(level)}
    assert profiles <= {"finite"}


@pytest.mark.parametrize("twin", ["bits_denominator_from_one", "reference_value_branch_first", "c2_flipped"])
def test_a_twin_loads_by_its_path_alone_and_leaves_the_rest_as_it_was(twin: str) -> None:
    """In a process of its own: plain and attnspec are the same afterwards, function by function."""
    script = f"""
import sys
sys.path.insert(0, {str(HERE.parent)!r})
import plain.target, attnspec.targets.reference as reference
before = {{name: vars(sys.modules[name]).copy() for name in sys.modules if name.startswith(("plain", "attnspec"))}}
import importlib.util
spec = importlib.util.spec_from_file_location("twin", {str(HERE / f"{twin}.py")!r})
sys.path.insert(0, {str(HERE)!r})
spec.loader.exec_module(importlib.util.module_from_spec(spec))
after = {{name: vars(sys.modules[name]) for name in before}}
changed = [(name, key) for name in before for key in before[name] if before[name][key] is not after[name].get(key)]
assert changed == [], changed
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


SAMPLE = (
    "c2_flipped",
    "bits_times_the_inverse_size",
    "h1_value_times_zero",
    "n6_query_scaled_in_place",
    "xavier_limit_of_the_fan_in",
    "reference_operands_in_reverse",
)
"""Twins of both levels and of several profiles; one writes into its input, one is the reference but for its bug."""


@pytest.mark.parametrize("twin", [twin for twin in twins() if twin.name in SAMPLE], ids=lambda twin: twin.name)
def test_the_command_line_fails_a_twin_and_names_a_clause_that_it_breaks(twin: Twin, tmp_path: Path) -> None:
    assert check(twin, tmp_path / "report.json") == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("twin", twins(), ids=lambda twin: twin.name)
def test_the_command_line_fails_every_twin_and_names_a_clause_that_it_breaks(twin: Twin, tmp_path: Path) -> None:
    """In this process, which saves its start; the reference's own twins also in one of theirs."""
    place = tmp_path / "report.json"
    assert check(twin, place, "--in-process") == (1, True)
    if twin.is_reference:
        assert check(twin, place) == (1, True)


def check(twin: Twin, place: Path, *options: str) -> tuple[int, bool]:
    """Check a twin as its header says; return the status, and whether a failing case cites a clause that it breaks."""
    profiles = [f"--profile={profile}" for profile in twin.profiles]
    long = [fixture.id for fixture in fixtures() if not is_small(fixture)]  # as in the kill table
    asked = " or ".join(sorted(f"{operation}/" for operation in twin.operations))
    selection = f"({asked}) and not ({' or '.join(long)})"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a twin in this process may well divide by zero
        status = main(
            [
                "check",
                str(twin.path),
                f"--level={twin.level}",
                *profiles,
                "-k",
                selection,
                "--json",
                str(place),
                *options,
            ]
        )
    cases = json.loads(place.read_text(encoding="utf-8"))["cases"]
    cited = {clause for case in cases if case["verdict"] in ("failed", "errored") for clause in case["clauses"]}
    return status, not cited.isdisjoint(twin.breaks)


HEADER = '''"""A bug."""
BUG_KIND = "C1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.3",)
'''


@pytest.mark.parametrize(
    ("there", "instead", "fault"),
    [
        ('"""A bug."""', '"""A bug"""', "no sentence says what the bug is"),
        ('"bound"', '"close"', "no such level: close"),
        ('("core",)', "()", "no profile"),
        ('"core"', '"kernel"', "no such profile: kernel"),
        ('("causal_mask.3",)', "()", "breaks nothing"),
        ("causal_mask.3", "causal_mask.99", "no such clause: causal_mask.99"),
        ("causal_mask.3", "causal_mask.10", "binds nobody: causal_mask.10"),
    ],
)
def test_a_fault_in_a_header_is_found(tmp_path: Path, there: str, instead: str, fault: str) -> None:
    path = tmp_path / "twin.py"
    path.write_text(HEADER, encoding="utf-8")
    assert header_faults(read_header(path)) == []
    path.write_text(HEADER.replace(there, instead), encoding="utf-8")
    assert header_faults(read_header(path)) == [f"twin: {fault}"]


def header_faults(twin: Twin) -> list[str]:
    clauses = CORPUS.clauses()
    found = [] if twin.bug.rstrip().endswith(".") else ["no sentence says what the bug is"]
    found += [] if twin.kind else ["no kind"]
    found += [] if twin.level in CORRECT else [f"no such level: {twin.level}"]
    found += [] if twin.profiles else ["no profile"]
    found += [f"no such profile: {profile}" for profile in twin.profiles if profile not in PROFILES]
    found += [] if twin.breaks else ["breaks nothing"]
    found += [f"no such clause: {clause}" for clause in twin.breaks if clause not in clauses]
    bound = [clause for clause in twin.breaks if clause in clauses and clauses[clause].kind != "normative"]
    return [f"{twin.name}: {fault}" for fault in [*found, *(f"binds nobody: {clause}" for clause in bound)]]


def said_by(path: Path) -> tuple[str, tuple[str, ...]]:
    """Level and profiles of a correct implementation."""
    said = {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
    }
    return said["LEVEL"], said["PROFILES"]


def answerable(fixture: Fixture, level: str) -> bool:
    """Plain Python is slow, and promises accepted cases only."""
    return level != "bits" or (fixture.rejects is None and is_small(fixture))
