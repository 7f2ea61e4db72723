"""Targets in processes of their own: what they say, what they break, and that the run goes on."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from attnspec.cli import main
from attnspec.conformance import line_process
from attnspec.conformance.json_lines import ProtocolFault
from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.process_target import ProcessTarget
from attnspec.conformance.protocol import (
    read_declaration,
    read_reply,
    read_request,
    reply_line,
    run_line,
)
from attnspec.conformance.runner import check_case
from attnspec.conformance.target import TargetFault, ask
from attnspec.conformance.truth_judge import TruthJudge
from attnspec.conformance.verdicts import Verdict, worst
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import compare_forms, forms_of
from attnspec.corpus.request import Answered, Errored, Reply, Request, Skipped
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, cases, fixtures, is_long

SERVE = [sys.executable, "-m", "attnspec.targets.serve"]
THREE_TOKENS = CORPUS.read("causal_attention/three_tokens")
HELLO = '{"format": 1, "name": "script"}'
SKIP = "json.dumps({'id': message['id'], 'skipped': 'not today'})"


def script(folder: Path, reply: str, hello: str = HELLO) -> list[str]:
    """Return a command that answers `start` with a line, and every `run` by a piece of Python."""
    path = folder / "script.py"
    path.write_text(
        "import ctypes, json, os, signal, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['cmd'] == 'start':\n"
        f"        print({hello!r}, flush=True)\n"
        "    elif message['cmd'] == 'stop':\n"
        "        break\n"
        "    else:\n"
        f"        {reply}\n"
        "        sys.stdout.flush()\n"
    )
    return [sys.executable, str(path)]


@pytest.mark.clause("conformance.21")
@cases(lambda fixture: fixture.operation.name in ("causal_attention", "splitmix64", "qkv_initialization"))
def test_a_request_and_its_reply_survive_the_way_to_text_and_back(fixture: Fixture) -> None:
    request = read_request(json.loads(run_line(7, fixture.request)))
    there, back = Reference().answer(fixture.request), ask(Reference(), request)
    same(there, read_reply(reply_line(7, back), 7, fixture.operation.name))


def same(one: Reply, other: Reply) -> None:
    assert type(one) is type(other)
    if isinstance(one, Answered) and isinstance(other, Answered):
        assert compare_forms(forms_of(one.outputs), forms_of(other.outputs)) == []
        assert compare_forms(forms_of(one.gradients), forms_of(other.gradients)) == []


def test_the_reference_passes_through_a_process_of_its_own() -> None:
    wanted = [one for one in fixtures() if one.operation.name == "causal_attention" and not is_long(one)][::6]
    with ProcessTarget([*SERVE, "reference"]) as target:
        for fixture in [*wanted, CORPUS.read("causal_attention/rejected/released_key")]:
            parts = list(check_case(fixture, target, GoldenJudge(), CORPUS.read))
            found = [str(finding) for part in parts for finding in part.findings]
            assert worst(part.verdict for part in parts) is Verdict.PASSED, (fixture.id, found)


@pytest.mark.clause("conformance.22")
@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "died of SIGSEGV"),
        ("ctypes.string_at(0)", "died of SIGSEGV"),
        ("os.kill(os.getpid(), 40)", "died of signal 40"),
        ("os._exit(3)", "ended with status 3"),
        ("os.close(1); time.sleep(60)", "closed its output"),
        ("print('working on it')", "not JSON: 'working on it'"),
        ("print('{', end='', flush=True); os._exit(0)", "not JSON: '{'"),
        ("print(json.dumps({'id': message['id'] + 1, 'outputs': {}}))", "expected"),
        ("print(json.dumps({'id': message['id'], 'outputs': 5}))", "outputs is 5; an object is expected"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n')", "not UTF-8"),
        ("print('half a line', end='', flush=True); time.sleep(60)", "no answer within 0.5 s"),
    ],
)
def test_what_breaks_costs_one_case_and_says_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: str, said: str
) -> None:
    monkeypatch.setattr(line_process, "PATIENCE", 0.1)
    with ProcessTarget(script(tmp_path, reply), timeout=0.5) as target:
        for _ in range(2):  # the second time in a process that was started again
            found = ask(target, THREE_TOKENS.request)
            assert isinstance(found, Errored)
            assert said in found.message


@pytest.mark.clause("conformance.22")
@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (f"print({SKIP}); print({SKIP})", "id 1, expected 2; a run is answered by one line"),
        (f"print({SKIP}); print('done')", "not JSON: 'done'"),
        (f"print({SKIP}); sys.stdout.flush(); os._exit(0)", "ended with status 0"),
    ],
)
def test_what_comes_after_an_answer_is_told_at_the_next_run(tmp_path: Path, reply: str, said: str) -> None:
    with ProcessTarget(script(tmp_path, reply)) as target:
        assert isinstance(ask(target, THREE_TOKENS.request), Skipped)
        found = ask(target, THREE_TOKENS.request)
        assert isinstance(found, Errored)
        assert said in found.message
        assert isinstance(ask(target, THREE_TOKENS.request), Skipped)


@pytest.mark.clause("conformance.22")
def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(tmp_path: Path) -> None:
    slow = f"time.sleep(0.6 if message['operation'] == 'causal_mask' else 0); print({SKIP})"
    with ProcessTarget(script(tmp_path, slow), timeout=0.5) as target:
        assert "no answer within 0.5 s" in str(ask(target, Request("causal_mask", {"tokens": 3})))
        time.sleep(0.2)
        assert isinstance(ask(target, THREE_TOKENS.request), Skipped)


@pytest.mark.clause("conformance.22")
def test_what_a_process_started_ends_with_it(tmp_path: Path) -> None:
    """A shell between attnspec and the target is killed together with the target."""
    place = str(tmp_path / "pid")
    inner = script(tmp_path, f"open({place!r}, 'w').write(str(os.getpid())); time.sleep(60)")
    with ProcessTarget(["sh", "-c", f"{shlex.join(inner)}; true"], timeout=0.5) as target:
        assert "no answer" in str(ask(target, THREE_TOKENS.request))
    pid = int((tmp_path / "pid").read_text())
    for _ in range(200):
        if has_ended(pid):
            return
        time.sleep(0.01)
    pytest.fail("the target outlived its shell")


def has_ended(pid: int) -> bool:
    """Whether a process is gone, or a zombie that nobody has buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def test_a_target_that_reads_its_standard_input_finds_it_empty(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text("import sys\ndef causal_attention(query, key, value): raise KeyError(repr(sys.stdin.read()))\n")
    with ProcessTarget([*SERVE, str(target)]) as served:
        for _ in range(2):
            assert ask(served, THREE_TOKENS.request) == Errored("KeyError: \"''\"")


@pytest.mark.clause("conformance.41")
def test_another_type_and_a_nan_of_any_payload_are_compared_like_any_other_answer(tmp_path: Path) -> None:
    narrow = {"dtype": "float32", "shape": [1, 3, 2], "bits": ["00000000 00000000"] * 3}
    nan = {"dtype": "float64", "shape": [1, 3, 2], "bits": ["7ff8000000000123 fff0000000000001"] * 3}
    turned = {"dtype": "float64", "shape": [1, 2, 3], "bits": [" ".join(["0" * 16] * 3)] * 2}
    judge = TruthJudge(Reference().answer)
    for output, said in ((narrow, "got float32"), (nan, "got nan"), (turned, "shape [1, 2, 3]")):
        reply = f"print(json.dumps({{'id': message['id'], 'outputs': {{'output': {output}}}}}))"
        with ProcessTarget(script(tmp_path, reply)) as target:
            parts = list(check_case(THREE_TOKENS, target, judge, CORPUS.read))
        (forward,) = [part for part in parts if part.name == "forward"]
        assert forward.verdict is Verdict.FAILED
        assert said in str(forward.findings[0])


@pytest.mark.clause("conformance.22")
def test_a_line_of_a_hundred_megabytes_is_not_read_to_its_end(tmp_path: Path) -> None:
    with ProcessTarget(script(tmp_path, "print('x' * 10**8)")) as target:
        assert "a line of more than 67," in str(ask(target, THREE_TOKENS.request))


@pytest.mark.clause("conformance.22")
def test_a_process_that_does_not_read_costs_one_case_too(tmp_path: Path) -> None:
    path = tmp_path / "deaf.py"
    path.write_text(f"import sys, time\nsys.stdin.readline()\nprint({HELLO!r}, flush=True)\ntime.sleep(600)\n")
    large = CORPUS.read("causal_softmax/tokens_512").request
    assert len(run_line(1, large)) > 2**16, "more than a pipe holds"
    with ProcessTarget([sys.executable, str(path)], timeout=0.5) as target:
        found = ask(target, large)
        assert isinstance(found, Errored)
        assert "no answer within 0.5 s" in found.message


def test_a_process_that_died_once_answers_the_next_case(tmp_path: Path) -> None:
    reply = (
        "os._exit(9) if message['operation'] == 'causal_mask' else"
        " print(json.dumps({'id': message['id'], 'skipped': 'not today'}))"
    )
    with ProcessTarget(script(tmp_path, reply)) as target:
        assert isinstance(ask(target, Request("causal_mask", {"tokens": 3})), Errored)
        assert "not today" in str(ask(target, THREE_TOKENS.request))


@pytest.mark.clause("conformance.23")
@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ('{"format": 2, "name": "later"}', "format 2"),
        ('{"format": 1}', "does not say its name"),
        ("hello", "not JSON"),
        ('{"fault": "no such file"}', "no such file"),
        ('{"format": 1, "name": "odd", "operations": "attention"}', 'operations is "attention"; a list of texts'),
        ('{"format": 1, "name": "odd", "operations": ["flash"]}', "operations holds 'flash'; known: exponential"),
        ('{"format": 1, "name": "odd", "dtypes": "float32"}', 'dtypes is "float32"; a list of texts'),
        ('{"format": 1, "name": "odd", "exp_ulps": "2"}', 'exp_ulps is "2"; a number'),
    ],
)
def test_a_target_that_cannot_start_is_one_line_and_status_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hello: str, said: str
) -> None:
    with pytest.raises((ProtocolFault, TargetFault)) as caught:
        read_declaration(hello.encode())
    assert said in str(caught.value)
    assert main(["check", f"cmd:{shlex.join(script(tmp_path, 'pass', hello))}"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.clause("conformance.23")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "names no command"),
        ("no_such_command_at_all", "cannot be started: No such file"),
        ("python 'it", "No closing quotation"),
        ("true", "ended with status 0"),
    ],
)
def test_a_command_that_is_none_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], command: str, said: str
) -> None:
    assert main(["check", f"cmd:{command}"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "verdict", "said"),
    [
        ("raise TypeError('no')", "errored", "TypeError: no"),
        ("import ctypes; ctypes.string_at(0)", "errored", "died of SIGSEGV"),
        ("import sys; sys.exit(4)", "errored", "SystemExit: 4"),
        ("import os; os._exit(4)", "errored", "ended with status 4"),
        ("import os; os.write(1, b'noise'); print('more noise'); return np.zeros(query.shape)", "failed", "its bound"),
        ("return np.full(query.shape, np.nan)", "failed", "nan"),
        ("return np.swapaxes(value, 1, 2)", "failed", "shape"),
        ("query += 1.0; return value", "failed", "wrote into query"),
    ],
)
def test_a_python_target_may_break_in_any_way_and_the_run_is_complete(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], body: str, verdict: str, said: str
) -> None:
    target = tmp_path / "target.py"
    target.write_text(f"import numpy as np\n\ndef causal_attention(query, key, value):\n    {body}\n")
    status = main(["check", str(target), "-k", "causal_attention/three_tokens or causal_attention/one_token"])
    out = capfd.readouterr().out
    assert (status, said in out) == (1, True), out
    assert f"2 cases: 2 {verdict}" in out


def test_a_target_that_raises_at_start_or_implements_nothing_is_status_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, said in (("raise RuntimeError('out of coffee')", "out of coffee"), ("x = 1", "no function named")):
        (tmp_path / "target.py").write_text(text)
        assert main(["check", str(tmp_path / "target.py")]) == 2
        err = capsys.readouterr().err
        assert said in err
        assert "Traceback" not in err


def test_a_command_line_is_a_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = script(tmp_path, "print(json.dumps({'id': message['id'], 'skipped': 'nothing yet'}))")
    assert main(["check", f"cmd:{shlex.join(command)}", "-k", "three_tokens"]) == 2
    assert "skipped" in capsys.readouterr().out


LEAVES = "import sys\ndef exponential(x):\n    sys.exit(0)\n"


@pytest.mark.parametrize("text", [LEAVES, "import sys\nsys.exit(0)\n"], ids=["in a call", "at import"])
def test_who_leaves_does_not_take_the_judge_along(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "leaving.py").write_text(text, encoding="utf-8")
    status = main(["check", str(tmp_path / "leaving.py"), "-k", "exponential/scalar", "--in-process"])
    assert status == (1 if text == LEAVES else 2)
    said = capsys.readouterr()
    assert "SystemExit: 0" in said.out + said.err


def test_a_file_beside_the_judge_stands_in_for_no_module(tmp_path: Path) -> None:
    for name in ("json.py", "numpy.py", "attnspec.py"):
        (tmp_path / name).write_text("raise RuntimeError('shadow')\n", encoding="utf-8")
    (tmp_path / "random.py").write_text("def exponential(x):\n    return x\n", encoding="utf-8")
    command = [sys.executable, "-P", "-m", "attnspec", "check", "random.py", "-k", "exponential/scalar"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, ""), ended.stderr
    assert "1 case: 1 failed" in ended.stdout


def test_what_a_target_started_ends_with_it(tmp_path: Path) -> None:
    text = (
        "import pathlib, subprocess\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "pathlib.Path(__file__).with_suffix('.pid').write_text(str(child.pid))\n"
        "def exponential(x):\n    return x\n"
    )
    (tmp_path / "parent.py").write_text(text, encoding="utf-8")
    main(["check", str(tmp_path / "parent.py"), "-k", "exponential/scalar"])
    number = int((tmp_path / "parent.pid").read_text())
    for _ in range(50):
        if not _is_alive(number):
            return
        time.sleep(0.1)
    raise AssertionError("it is still there")


@pytest.mark.skipif(os.name != "posix", reason="signals and process groups are of POSIX")
@pytest.mark.clause("conformance.46")
@pytest.mark.parametrize(
    ("where", "sent", "more"),
    [
        ("", "SIGTERM", []),
        pytest.param("", "SIGHUP", [], marks=pytest.mark.slow),
        pytest.param("", "SIGINT", [], marks=pytest.mark.slow),
        pytest.param("", "SIGTERM", ["--jobs", "2"], marks=pytest.mark.slow),
        pytest.param("def exponential(x):\n    ", "SIGTERM", [], marks=pytest.mark.slow),
        pytest.param("def exponential(x):\n    ", "SIGTERM", ["--jobs", "2"], marks=pytest.mark.slow),
    ],
)
def test_a_target_that_hangs_ends_with_the_command(tmp_path: Path, where: str, sent: str, more: list[str]) -> None:
    """It hangs while it starts, or in a call; what it started itself ends with it."""
    (tmp_path / "hangs.py").write_text(
        f"{where}import os, pathlib, subprocess, time; child = subprocess.Popen(['sleep', '60']); "
        "pathlib.Path(os.environ['NOTES'], f'{os.getpid()}.{child.pid}').touch(); time.sleep(60)\n"
    )
    notes = tmp_path / "notes"
    notes.mkdir()
    command = [sys.executable, "-m", "attnspec", "check", str(tmp_path / "hangs.py"), "-k", "exponential/scalar", *more]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"NOTES": str(notes)}
    )
    _wait_until(lambda: any(notes.iterdir()))
    running.send_signal(signal.Signals[sent])
    _, err = running.communicate(timeout=30)
    assert (running.returncode, "Traceback" in err) == (130 if sent == "SIGINT" else -signal.Signals[sent], False), err
    numbers = [int(number) for note in notes.iterdir() for number in note.name.split(".")]
    _wait_until(lambda: all(map(has_ended, numbers)))


def _wait_until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def _is_alive(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
