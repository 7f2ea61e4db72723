"""`pytest --attnspec`: the corpus in anybody's repository, with the verdicts of `attnspec check`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import attnspec.cli.pytest_corpus  # noqa: F401  # what a run within this one imports is forgotten after it
from attnspec.cli import main
from corpus_cases import ROOT
from small_corpus import AHEAD, AHEAD_FAILS, CASES, CORRECT, make_small_corpus

pytest_plugins = ["pytester"]

ONLY_MASK = "import numpy as np\ndef causal_mask(tokens): return np.triu(np.full((tokens, tokens), -np.inf), 1)\n"
Run = Callable[..., tuple[pytest.RunResult, dict[str, str]]]


class Outcomes:
    """Keeps the outcome of each test in the words of pytest's summary."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.failed:
            known = "xfailed" if hasattr(report, "wasxfail") else report.outcome
            self.of[report.nodeid] = known


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_small_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture
def run(pytester: pytest.Pytester, corpus: Path) -> Run:
    """Run pytest, within this process, in a repository with one test of its own."""
    pytester.makepyfile(test_own="def test_own(): pass")

    def runs(*arguments: str) -> tuple[pytest.RunResult, dict[str, str]]:
        outcomes = Outcomes()
        options = (
            "-p",
            "no:cacheprovider",
            "-p",
            "no:hypothesispytest",
            "--attnspec-in-process",
            f"--attnspec-corpus={corpus}",
        )
        return pytester.runpytest_inprocess(*options, *arguments, plugins=[outcomes]), outcomes.of

    return runs


def checked(capsys: pytest.CaptureFixture[str], target: object, corpus: Path, *more: str) -> dict[str, str]:
    """What `attnspec check` says of each case, in the words of pytest."""
    capsys.readouterr()
    main(["check", str(target), "--in-process", "--corpus", str(corpus), "--json", "-", *more])
    cases = json.loads(capsys.readouterr().out)["cases"]
    words = {"errored": "failed"}
    return {
        f"attnspec::{case['id']}": "xfailed" if case.get("known") else words.get(case["verdict"], case["verdict"])
        for case in cases
    }


@pytest.mark.clause("conformance.33")
def test_without_the_option_a_run_is_as_it_was(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_own="def test_own(): pass")
    outcomes = Outcomes()
    result = pytester.runpytest_inprocess("-p", "no:hypothesispytest", plugins=[outcomes])
    assert (result.ret, outcomes.of) == (0, {"test_own.py::test_own": "passed"})
    assert "attnspec:" not in result.stdout.str()


def test_the_plugin_costs_nothing_where_it_is_not_asked() -> None:
    program = (
        "import sys, pytest; before = set(sys.modules); import attnspec.cli.pytest_plugin;"
        "new = {name.split('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names;"
        "assert new == {'attnspec'}, new"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.clause("conformance.33")
@pytest.mark.parametrize(
    ("target", "profiles", "cases", "status"),
    [("correct.py", ["all"], 6, 0), ("c1_one_ahead.py", [], 5, 1), ("mask.py", ["core", "init"], 6, 0)],
)
def test_pytest_and_check_agree_case_by_case(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    pytester: pytest.Pytester,
    corpus: Path,
    target: str,
    profiles: list[str],
    cases: int,
    status: int,
) -> None:
    path = pytester.makepyfile(mask=ONLY_MASK) if target == "mask.py" else CORRECT.with_name(target)
    result, outcomes = run(f"--attnspec={path}", *(f"--attnspec-profile={name}" for name in profiles))
    assert outcomes.pop("test_own.py::test_own") == "passed"
    assert outcomes == checked(capsys, path, corpus, *(f"--profile={name}" for name in profiles))
    assert (len(outcomes), result.ret) == (cases, status)


@pytest.mark.slow
@pytest.mark.parametrize("target", [CORRECT, AHEAD])
def test_pytest_and_check_agree_on_the_whole_corpus(run: Run, capsys: pytest.CaptureFixture[str], target: Path) -> None:
    fixtures = ROOT / "fixtures"
    _, outcomes = run(f"--attnspec={target}", f"--attnspec-corpus={fixtures}", "--attnspec-profile=all")
    assert outcomes.pop("test_own.py::test_own") == "passed"
    assert outcomes == checked(capsys, target, fixtures, "--profile=all")


@pytest.mark.clause("conformance.34")
@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["-k", "causal and not mask"], ["causal_softmax/all_tied", "causal_softmax/three_tokens"]),
        (["-k", "causal_mask/one_token"], ["causal_mask/one_token"]),
        (["-k", "matrix_product and not rejected"], []),
        (["attnspec::causal_mask/one_token"], ["causal_mask/one_token"]),
        (["attnspec::causal_softmax", "attnspec::causal_mask/one_token"], CASES[1:4]),
        (["attnspec::causal_mask/one_token", "test_own.py"], ["causal_mask/one_token", "own"]),
        (["attnspec::"], CASES[:5]),
        (["-m", "attnspec"], CASES[:5]),
        (["-m", "not attnspec"], ["own"]),
        (["test_own.py", "--deselect", "attnspec::causal_mask"], [*CASES[2:5], "own"]),
        (["--attnspec=", "test_own.py"], ["own"]),
    ],
)
def test_cases_are_chosen_as_tests_are(run: Run, arguments: list[str], asked: list[str]) -> None:
    result, _ = run(f"--attnspec={CORRECT}", "--collect-only", "-q", *arguments)
    ids = {"own": "test_own.py::test_own"}
    listed = [line for line in result.outlines if "::" in line]
    assert sorted(listed) == sorted(ids.get(case, f"attnspec::{case}") for case in asked)


def test_a_case_that_is_not_there_is_told_in_one_line(run: Run) -> None:
    result, _ = run(f"--attnspec={CORRECT}", "attnspec::causal_mask/two_tokens")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["attnspec::causal_mask/two_tokens: no case of the profiles core"])


@pytest.mark.clause("conformance.34")
def test_a_failure_reads_as_check_prints_it_and_has_its_first_finding_in_the_summary(
    run: Run, capsys: pytest.CaptureFixture[str], corpus: Path
) -> None:
    result, _ = run(f"--attnspec={AHEAD}", "attnspec::causal_softmax/three_tokens")
    capsys.readouterr()
    main(["check", str(AHEAD), "--in-process", "--corpus", str(corpus), "-k", "causal_softmax/three_tokens"])
    printed = capsys.readouterr().out
    block = re.search(r"^failed causal_softmax/three_tokens\n(  .*\n)+", printed, re.MULTILINE)
    assert block is not None
    assert "why it exists: The scaled scores" in block[0]
    assert block[0] in result.stdout.str()
    assert "Traceback" not in result.stdout.str()
    result.stdout.fnmatch_lines(["FAILED attnspec::causal_softmax/three_tokens - forward: proba*"])


def test_a_skipped_case_says_why(run: Run, pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(mask=ONLY_MASK)
    result, _ = run(f"--attnspec={path}", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED [[]2[]] *: no causal_softmax"])


def test_junit_has_the_clauses_the_profile_and_the_share_of_the_bound(run: Run, pytester: pytest.Pytester) -> None:
    run(f"--attnspec={CORRECT}", "--junitxml=out.xml", "attnspec::causal_softmax/three_tokens")
    (case,) = ElementTree.parse(pytester.path / "out.xml").getroot().iter("testcase")
    found = {prop.get("name"): str(prop.get("value")) for prop in case.iter("property")}
    assert case.get("name") == "causal_softmax/three_tokens"
    assert found["clauses"].startswith("causal_softmax.1 ")
    assert found["profile"] == "core"
    assert found["parts"].startswith("forward passed, gradients passed, replay passed")
    assert 0.0 < float(found["share"]) < 1.0
    assert int(found["ulps"]) >= 0


KNOWN = """\
- {case: causal_softmax/three_tokens, reason: one ahead}
- {case: 'causal_softmax/all_tied#forward', reason: ties}
- {case: causal_mask/f*, reason: one ahead}
"""


@pytest.mark.clause("conformance.35")
def test_known_failures_are_expected_and_both_commands_agree(
    run: Run, capsys: pytest.CaptureFixture[str], pytester: pytest.Pytester, corpus: Path
) -> None:
    known = pytester.path / "known.yaml"
    known.write_text(KNOWN)
    result, outcomes = run(f"--attnspec={AHEAD}", f"--attnspec-known-failures={known}", "-rx")
    assert outcomes.pop("test_own.py::test_own") == "passed"
    assert outcomes == checked(capsys, AHEAD, corpus, f"--known-failures={known}")
    assert list(outcomes.values()).count("xfailed") == 3
    assert result.ret == 0
    result.stdout.fnmatch_lines(["XFAIL attnspec::causal_softmax/three_tokens - *one ahead"])


@pytest.mark.clause("conformance.35")
@pytest.mark.parametrize(
    ("target", "entry", "failed", "said"),
    [
        (CORRECT, "{case: causal_mask/one_token, reason: x}", ["causal_mask/one_token"], "it passed, though known to"),
        (AHEAD, "{case: 'causal_[!m]*', reason: x, until: 2001-01-01}", AHEAD_FAILS, "until 2001-01-01, which is past"),
        (CORRECT, "{case: causal_mask/two_tokens, reason: x}", [], "no case of the corpus has this id"),
        (CORRECT, "{case: 'causal_mask/one_token#gradients', reason: x}", [], "there is no such part"),
    ],
)
def test_an_entry_that_is_not_true_fails_the_run(
    run: Run, pytester: pytest.Pytester, target: Path, entry: str, failed: list[str], said: str
) -> None:
    known = pytester.path / "known.yaml"
    known.write_text(f"- {entry}\n")
    result, outcomes = run(f"--attnspec={target}", f"--attnspec-known-failures={known}")
    assert [name for name, word in outcomes.items() if word == "failed"] == [f"attnspec::{case}" for case in failed]
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"*known.yaml:1:3: *{said}*"])


def test_runxfail_leaves_the_list_out(run: Run, pytester: pytest.Pytester) -> None:
    known = pytester.path / "known.yaml"
    known.write_text(KNOWN)
    _, outcomes = run(f"--attnspec={AHEAD}", f"--attnspec-known-failures={known}", "--runxfail")
    assert [name for name, word in outcomes.items() if word == "failed"] == [
        f"attnspec::{case}" for case in AHEAD_FAILS
    ]


@pytest.mark.clause("conformance.34")
def test_settings_stand_for_the_options_and_their_paths_count_from_the_file(
    run: Run, pytester: pytest.Pytester
) -> None:
    folder = pytester.mkdir("sub")
    (pytester.path / "mask.py").write_text(ONLY_MASK)
    (pytester.path / "known.yaml").write_text("- {case: causal_mask/nothing, reason: x}\n")
    pytester.makeini(
        "[pytest]\nattnspec = mask.py\nattnspec_profile = core init\nattnspec_known_failures = known.yaml\n"
    )
    os.chdir(folder)
    result, outcomes = run("-k", "attnspec")
    assert sorted(outcomes) == sorted(f"attnspec::{case}" for case in CASES)
    result.stdout.fnmatch_lines(["*known.yaml:1:3: causal_mask/nothing: no case*"])


@pytest.mark.clause("conformance.34")
@pytest.mark.parametrize(
    ("setting", "arguments", "said"),
    [
        ("", ["--attnspec=nowhere.py"], "ERROR: *nowhere.py: no such file*"),
        ("", ["--attnspec=no_such_module"], "ERROR: no_such_module*"),
        ("", ["--attnspec=cmd:false"], "ERROR: the target does not start: ended with status 1 (false)"),
        ("", ["--attnspec=cmd:false", "-n1"], "ERROR: the target does not start: ended with status 1 (false)"),
        ("", ["--attnspec=own.py", "--attnspec-corpus=nowhere"], "ERROR: *nowhere: no corpus here*"),
        ("", ["--attnspec=own.py", "--attnspec-profile=kore"], "ERROR: --profile kore: no such profile; known: core*"),
        (
            "",
            ["--attnspec=own.py", "--attnspec-dtype=float32", "--attnspec-level=bits"],
            "ERROR: --level bits --dtype*",
        ),
        ("", ["--attnspec=own.py", "--attnspec-known-failures=k.yaml"], "ERROR: --known-failures *k.yaml: cannot be*"),
        ("attnspec_level = bitz", ["--attnspec=own.py"], "ERROR: attnspec_level = bitz: bits or bound is expected"),
        ("attnspec_timeout = 0", ["--attnspec=own.py"], "ERROR: attnspec_timeout = 0: a positive number*"),
    ],
)
def test_what_cannot_be_followed_is_one_line_and_status_four(
    run: Run, pytester: pytest.Pytester, setting: str, arguments: list[str], said: str
) -> None:
    pytester.makeini(f"[pytest]\n{setting}\n")
    pytester.makepyfile(own=ONLY_MASK)
    result, outcomes = run(*arguments)
    assert (result.ret, outcomes) == (pytest.ExitCode.USAGE_ERROR, {})
    (line,) = [line for line in result.errlines if line]
    pytest.LineMatcher([line]).fnmatch_lines([said])


def test_a_target_whose_folder_would_rule_the_run_is_refused(run: Run) -> None:
    result, _ = run("--attnspec", str(CORRECT))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: pytest takes *write --attnspec={CORRECT} in one word"])


SAYS_WHEN = """\
import json, os, pathlib, sys
pathlib.Path(f"started.{os.getpid()}").touch()
for line in sys.stdin:
    print("noise", file=sys.stderr, flush=True)
    if json.loads(line)["cmd"] == "start":
        print(json.dumps({"format": 1, "name": "says_when", "operations": []}), flush=True)
"""


@pytest.mark.clause("conformance.34")
def test_workers_have_the_same_ids_and_a_process_each_that_ends_with_them(
    pytester: pytest.Pytester, corpus: Path
) -> None:
    (pytester.path / "says_when.py").write_text(SAYS_WHEN)
    pytester.makepyfile(test_own="def test_own(): pass")
    options = ("-p", "no:hypothesispytest", f"--attnspec-corpus={corpus}", "-n2")
    result = pytester.runpytest_subprocess(f"--attnspec=cmd:{sys.executable} -S says_when.py", *options)
    result.assert_outcomes(passed=1, skipped=5)
    pids = [int(path.suffix[1:]) for path in pytester.path.glob("started.*")]
    assert len(pids) == 3  # the first only to see that it starts
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert "noise" not in result.stdout.str() + result.stderr.str()


@pytest.mark.clause("conformance.34")
def test_what_a_target_prints_is_shown_with_the_case_that_fails(pytester: pytest.Pytester, corpus: Path) -> None:
    noisy = "import sys\ndef causal_mask(tokens):\n    print('noise of', tokens, file=sys.stderr)\n    return tokens\n"
    (pytester.path / "noisy.py").write_text(noisy)
    options = ("-p", "no:hypothesispytest", f"--attnspec-corpus={corpus}", "attnspec::causal_mask/one_token")
    result = pytester.runpytest_inprocess("--attnspec=noisy.py", *options)
    result.stdout.fnmatch_lines(["*Captured stderr call*", "noise of 1", "*1 failed*"])


def test_to_list_the_cases_starts_no_target(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "says_when.py").write_text(SAYS_WHEN)
    result, _ = run(f"--attnspec=cmd:{sys.executable} says_when.py", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["attnspec::causal_mask/one_token", "6 tests collected*"])
    assert list(pytester.path.glob("started.*")) == []
