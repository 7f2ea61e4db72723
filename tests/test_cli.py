"""The command line as its users meet it: statuses, messages, and what a changed bit, digit or line does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attnspec.cli import main
from attnspec.corpus.request import Answered
from attnspec.corpus.selection import SelectionError, compile_selection
from attnspec.numeric.binary64 import equal_bits
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, ROOT

THREE_TOKENS = "causal_attention/three_tokens"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a few cases that may be spoiled."""
    for topic in ("causal_attention", "causal_mask", "attention"):
        shutil.copytree(ROOT / "fixtures" / topic, tmp_path / topic)
    return tmp_path


def attnspec(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def check(capsys: pytest.CaptureFixture[str], corpus: Path, *more: str) -> tuple[int, str]:
    status, out, err = attnspec(capsys, "check", "-k", "three_tokens", "--corpus", str(corpus), *more)
    return status, out + err


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_check_ends_with_a_summary_and_names_the_profiles_it_did_not_run(
    capsys: pytest.CaptureFixture[str], corpus: Path
) -> None:
    status, out = check(capsys, corpus, "--profile", "core")
    assert status == 0
    assert re.search(r"^\d+ cases: \d+ passed$", out, re.MULTILINE)
    for profile in ("isolation", "strict", "finite", "init", "large"):
        assert f"not run: profile {profile} (" in out


def test_one_changed_bit_of_a_golden_fails_and_is_named(capsys: pytest.CaptureFixture[str], corpus: Path) -> None:
    spoil(corpus / f"{THREE_TOKENS}.golden.json", "3feff90c58ae038b", "3feff90c58ae038a")
    status, out = check(capsys, corpus)
    assert status == 1
    for part in (THREE_TOKENS, "probabilities[0, 1, 0]", "0.9991513950372888", "0.9991513950372889", "1 ulp apart"):
        assert part in out


def test_one_changed_digit_of_an_expectation_fails_and_is_named(
    capsys: pytest.CaptureFixture[str], corpus: Path
) -> None:
    spoil(corpus / f"{THREE_TOKENS}.yaml", "-1.944424", "-1.944434")
    status, out = check(capsys, corpus)
    assert status == 1
    for part in (THREE_TOKENS, "gradients.query[0, 2, 0]", "-1.944434", "-1.94442", "ulps", "expectation"):
        assert part in out


def test_a_changed_input_makes_the_golden_stale(capsys: pytest.CaptureFixture[str], corpus: Path) -> None:
    spoil(corpus / f"{THREE_TOKENS}.yaml", "[[0, 3], [2, -1]", "[[0, 4], [2, -1]")
    status, out = check(capsys, corpus)
    assert status == 1
    assert "stale" in out


def test_a_missing_golden_fails_and_names_the_tool(capsys: pytest.CaptureFixture[str], corpus: Path) -> None:
    (corpus / f"{THREE_TOKENS}.golden.json").unlink()
    status, out = check(capsys, corpus)
    assert status == 1
    assert "tools/regenerate_goldens.py" in out


def test_the_report_as_json_has_every_case_with_its_parts(capsys: pytest.CaptureFixture[str], corpus: Path) -> None:
    spoil(corpus / f"{THREE_TOKENS}.golden.json", "3feff90c58ae038b", "3feff90c58ae038a")
    report = corpus / "report.json"
    status, _ = check(capsys, corpus, "--json", str(report))
    document = json.loads(report.read_text(encoding="utf-8"))
    assert status == 1
    assert document["summary"]["failed"] == 1
    case = next(case for case in document["cases"] if case["id"] == THREE_TOKENS)
    assert case["verdict"] == "failed"
    parts = {part["name"]: part for part in case["parts"]}
    assert parts["forward"]["findings"][0]["index"] == [0, 1, 0]
    assert parts["forward"]["findings"][0]["ulps"] == 1
    assert parts["replay"]["verdict"] == "passed"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["check", "-k", "no_such_case"], 2, "no case of the profiles"),
        (["check", "-k", "(a or"], 2, "missing"),
        (["check", "--profile", "corre"], 2, "known: core"),
        (["check", "no_such_target"], 2, "no_such_target"),
        (["check", "--corpus", "nowhere"], 2, "nowhere"),
        (["check", "-k", "one_token", "--json", "no/such/folder/report.json"], 2, "cannot be written"),
        (["show", "causal_attention/tree_tokens"], 2, THREE_TOKENS),
        (["show", "../pyproject"], 2, "no such case"),
        (["lint", "nowhere.yaml"], 2, "no such file"),
        (["list", "-k", "no_such_case"], 2, ""),
        (["list", "-k", "three_tokens"], 0, THREE_TOKENS),
    ],
)
def test_bad_usage_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, said: str
) -> None:
    got, out, err = attnspec(capsys, *arguments)
    assert got == status
    assert said in out + err
    assert "Traceback" not in out + err


def test_a_fixture_with_faults_stops_the_check_with_all_of_them(
    capsys: pytest.CaptureFixture[str], corpus: Path
) -> None:
    spoil(corpus / f"{THREE_TOKENS}.yaml", "profile: core", "profile: kore")
    status, out = check(capsys, corpus)
    assert status == 2
    assert re.search(r"three_tokens\.yaml:\d+:\d+: .*kore", out)


def test_list_as_json_is_an_array_of_cases(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = attnspec(capsys, "list", "--json", "-k", "negative_tokens")
    assert status == 0
    (case,) = json.loads(out)
    assert case["id"] == "causal_mask/rejected/negative_tokens"
    assert case["rejected"] is True
    assert set(case) == {"id", "operation", "profile", "rejected", "clauses"}


def test_show_prints_inputs_intermediates_gradients_questions_and_clauses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = attnspec(capsys, "show", THREE_TOKENS)
    assert status == 0
    for part in ("query [1, 3, 2]", "probabilities [1, 3, 3]", "0.108383", "gradients.key", "questions", "clauses"):
        assert part in out


def test_show_prints_bits_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = attnspec(capsys, "show", THREE_TOKENS, "--bits")
    assert status == 0
    assert "3fdc881f6d6503d6  3fbbbf0494d7e146  3fdc881f6d6503d6" in out


@pytest.mark.parametrize("case", [THREE_TOKENS, "causal_attention/empty_batch", "splitmix64/wrap_around"])
def test_show_prints_a_snippet_that_holds_the_case_to_the_last_bit(
    capsys: pytest.CaptureFixture[str], case: str
) -> None:
    status, out, _ = attnspec(capsys, "show", case, "--python")
    held: dict[str, object] = {}
    exec(out, held)
    fixture = CORPUS.read(case)
    answer = Reference().answer(fixture.request)
    assert status == 0
    assert isinstance(answer, Answered)
    for name, value in fixture.request.inputs.items():
        assert equal_bits(np.asarray(held[name]), np.asarray(value))
    for name, value in answer.outputs.items():
        assert equal_bits(np.asarray(held[f"expected_{name}"]), np.asarray(value))


def test_show_prints_a_refusal_with_its_data(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = attnspec(capsys, "show", "causal_mask/rejected/negative_tokens")
    assert status == 0
    assert "refused: negative_tokens" in out


@pytest.mark.parametrize(
    ("expression", "case", "wanted"),
    [
        ("causal and not mask", "causal_softmax/ties", True),
        ("causal and not mask", "causal_mask/ties", False),
        ("(a or b) and c", "b/c", True),
        ("not (a or b)", "x/y", True),
        ("not not a", "a", True),
        ("CAUSAL", "causal_mask/zero", True),
    ],
)
def test_a_selection_joins_parts_of_case_ids(expression: str, case: str, wanted: bool) -> None:
    assert compile_selection(expression)(case) is wanted


@pytest.mark.parametrize("expression", ["", "and", "a or", "(a", "a)", "not", "a b"])
def test_a_malformed_selection_says_what_would_be_right(expression: str) -> None:
    with pytest.raises(SelectionError, match="write parts of case ids"):
        compile_selection(expression)


@pytest.mark.parametrize(
    ("command", "needless"),
    [
        ("check -k none", ["rich", "pydantic", "attnspec.conformance.truth_judge", "attnspec.conformance.likely_bugs"]),
        ("list -k three_tokens", ["rich", "pydantic", "attnspec.conformance", "attnspec.targets.reference"]),
        (f"show {THREE_TOKENS}", ["rich", "pydantic", "attnspec.conformance.judges"]),
        (f"lint fixtures/{THREE_TOKENS}.yaml", ["rich", "pydantic", "attnspec.conformance"]),
        ("compare a.json b.json", ["rich", "attnspec.targets.reference"]),
    ],
)
def test_a_command_starts_without_what_it_has_no_use_for(command: str, needless: list[str]) -> None:
    code = f"import sys; from attnspec.cli import main; main({command.split()}); print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = done.stdout.split()
    assert "attnspec.cli.common" in loaded
    assert [name for name in needless if name in loaded] == []


def test_help_needs_no_numpy() -> None:
    program = (
        "import sys; from attnspec.cli import main\ntry: main(['--help'])\nfinally: assert 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "check" in done.stdout


# What a shell, a disk and a terminal may do


def in_a_shell(command: str, folder: Path = ROOT, **environment: str) -> tuple[int, str]:
    """Run a line of bash in which `attnspec` is this one; return the status and all that was printed."""
    line = f'attnspec() {{ {sys.executable} -m attnspec "$@"; }}; set -o pipefail; {command}'
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, **environment}
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("attnspec list > /dev/full", 2, "No space left on device"),
        ("attnspec check -k three_tokens > /dev/full", 2, "No space left on device"),
        ("attnspec check -k three_tokens | head -1", 0, "attnspec"),
        ("attnspec list | head -1", 0, "attention/"),
        ("attnspec check -k three_tokens 2>&-", 0, "passed"),
        ("mkdir gone && cd gone && rmdir ../gone && attnspec check -k three_tokens", 0, "passed"),
        ("attnspec check -k three_tokens --corpus ''", 2, "an empty name is no folder"),
        ("attnspec list -k zzz", 2, "no case matches"),
        ("attnspec list -k zzz --json >/dev/null", 2, "no case matches"),
        ("attnspec list -k zzz 2>/dev/full", 2, ""),
        ("attnspec check -k zzz >/dev/null", 2, "no case of the profiles core,"),
        ("mkdir empty && attnspec check --corpus empty >/dev/null", 2, "empty: no fixture in this folder"),
        ("mkdir empty && attnspec list --corpus empty", 2, "empty: no fixture in this folder"),
        ("attnspec list -k \"$(printf 'mask and %.0s' {1..3000})mask\"", 0, "causal_mask/"),
        ("mkfifo pipe.yaml && attnspec lint pipe.yaml", 2, "pipe.yaml:1:1: no file stands here"),
        ("ln -s nothing lost.yaml && attnspec lint lost.yaml", 2, "lost.yaml:1:1: the link leads nowhere"),
        ("touch a.yml && attnspec lint .", 2, "a.yml:1:1: a fixture's name ends in .yaml"),
        ("attnspec check -k \"$(printf '(%.0s' {1..3000})x\"", 2, "nested more than"),
        ("attnspec check -k \"$(printf 'not %.0s' {1..3000})x\"", 2, "nested more than"),
    ],
)
def test_what_a_shell_does_is_answered_in_one_line(tmp_path: Path, command: str, status: int, said: str) -> None:
    got, printed = in_a_shell(command, tmp_path)
    assert (got, said in printed) == (status, True), printed


def test_a_terminal_that_lacks_characters_still_gets_the_rest() -> None:
    status, printed = in_a_shell("attnspec show causal_attention/three_tokens", PYTHONIOENCODING="ascii")
    assert status == 0
    assert "? Keys 0 and 1." in printed


def test_the_table_is_whole_on_a_narrow_terminal() -> None:
    _, printed = in_a_shell("attnspec check -k three_tokens", COLUMNS="20")
    assert "topic             passed  failed  errored  skipped" in printed


def test_links_and_pipes_in_a_corpus_neither_loop_nor_hang(corpus: Path) -> None:
    (corpus / "loop").symlink_to(corpus)
    os.mkfifo(corpus / "causal_mask" / "pipe.yaml")
    status, printed = in_a_shell(f"attnspec check -k causal_mask --corpus {corpus}")
    assert (status, "loop" in printed) == (0, False)
    (corpus / "causal_mask" / "nowhere.yaml").symlink_to("no_such_file")
    status, printed = in_a_shell(f"attnspec check -k causal_mask --corpus {corpus}")
    assert (status, "nowhere.yaml:1:1: the link leads nowhere" in printed) == (2, True)


def test_a_file_that_ends_in_yml_is_not_passed_over(corpus: Path) -> None:
    (corpus / "causal_mask" / "lost.yml").write_text("about: x\n")
    status, printed = in_a_shell(f"attnspec lint {corpus} --corpus {corpus}")
    assert (status, "lost.yml:1:1: a fixture's name ends in .yaml" in printed) == (2, True)


def test_a_case_that_is_said_to_equal_itself_is_a_fault(corpus: Path) -> None:
    path = corpus / f"{THREE_TOKENS}.yaml"
    spoil(path, "case: attention/three_tokens", f"case: {THREE_TOKENS}")
    status, printed = in_a_shell(f"attnspec lint {path} --corpus {corpus}")
    assert (status, "a case equals itself" in printed) == (2, True)


def test_lint_walks_a_folder_as_the_corpus_is_walked(corpus: Path) -> None:
    (corpus / "loop").symlink_to(corpus)
    os.mkfifo(corpus / "causal_mask" / "pipe.yaml")
    (corpus / "causal_mask" / "nowhere.yaml").symlink_to("no_such_file")
    shutil.copy(corpus / "causal_mask" / "four_tokens.yaml", corpus / "lost.yaml")
    status, printed = in_a_shell(f"attnspec lint {corpus} --corpus {corpus}")
    assert status == 2
    assert "loop/" not in printed
    for said in ("nowhere.yaml:1:1: the link leads nowhere", "lost.yaml:2:12: operation: the folder is no operation's"):
        assert said in printed
    assert " fixtures: 2 faults\n" in printed


@pytest.mark.parametrize("more", [[], ["-v"], ["--json", "-"]])
@pytest.mark.parametrize("is_right", [True, False])
def test_a_reader_that_goes_away_does_not_change_the_status(corpus: Path, is_right: bool, more: list[str]) -> None:
    """All but the bare summary is longer than what is buffered, so the pipe breaks while it is printed."""
    if not is_right:
        spoil(corpus / f"{THREE_TOKENS}.golden.json", "3feff90c58ae038b", "3feff90c58ae038a")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "attnspec", "check", "--corpus", str(corpus), *more]
    with open(writer, "w") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0 if is_right else 1, "")


def test_an_interrupt_is_one_line_also_while_modules_are_imported(tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text("raise KeyboardInterrupt")
    assert in_a_shell("attnspec list", PYTHONPATH=str(tmp_path)) == (130, "interrupted\n")


def test_a_flood_of_keys_is_refused_at_once(tmp_path: Path) -> None:
    flood = tmp_path / "flood.yaml"
    flood.write_text("about: x\n" + "".join(f"k{number}: 1\n" for number in range(100_000)))
    status, printed = in_a_shell(f"attnspec lint {flood}")
    assert (status, "more than 1000 keys" in printed) == (2, True)


def test_hundreds_of_failures_are_told_in_a_few_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "import numpy as np\n"
        "def causal_attention(query, key, value): return np.zeros(1)\n"
        "def causal_softmax(scores): return np.zeros(1)\n"
        "def attention(query, key, value): return np.zeros(1)\n"
    )
    status, out, _ = attnspec(capsys, "check", str(tmp_path / "wrong.py"), "--in-process")
    assert status == 1
    assert out.count("why it exists") == 20
    assert len(re.findall("^(failed|errored) ", out, re.MULTILINE)) == 120
    assert "more; -v or --json FILE has them all" in out
    assert len(out.splitlines()) < 400
