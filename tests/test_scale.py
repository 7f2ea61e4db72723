"""Thousands of cases and many workers: the same report in the same order, little in memory, nothing left behind."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import regenerate_goldens as tool
from _corpora import make_corpus
from attnspec.cli import main
from attnspec.cli.options import MOST_JOBS
from attnspec.cli.workers import Workers
from attnspec.conformance import jobs
from attnspec.conformance.jobs import AHEAD, in_order
from attnspec.conformance.verdicts import CaseReport, Part, Sharing, Verdict
from attnspec.corpus.faults import Fault, FixtureFaults
from attnspec.corpus.lint import lint_file
from attnspec.corpus.store import Corpus
from corpus_cases import ROOT
from small_corpus import AHEAD as ONE_AHEAD

CASES = 64
SPOILED = "causal_attention/case_00016"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty-four cases, one of which fails."""
    folder = make_corpus(tmp_path_factory.mktemp("corpus"), CASES).root
    golden = folder / f"{SPOILED}.golden.json"
    golden.write_text(golden.read_text().replace("3ff0000000000000", "3ff0000000000001", 1))
    return folder


# Work in order


class Noting:
    """A worker that notes where it was opened and closed."""

    opened: ClassVar[list[int]] = []
    closed: ClassVar[list[int]] = []

    def __init__(self, wait: Callable[[int], float] = lambda item: 0.0) -> None:
        self._wait, self._thread = wait, threading.get_ident()
        self.opened.append(self._thread)

    def __call__(self, item: int) -> int:
        time.sleep(self._wait(item))
        return item * item

    def close(self) -> None:
        self.closed.append(self._thread)


@pytest.fixture(autouse=True)
def _nothing_noted() -> None:
    Noting.opened, Noting.closed = [], []


def squares(count: int) -> list[int]:
    return [item * item for item in range(count)]


def test_results_come_in_order_whatever_takes_long() -> None:
    ended: list[int] = []

    class Slow(Noting):
        def __call__(self, item: int) -> int:
            result = super().__call__(item)
            ended.append(item)
            return result

    with ThreadPoolExecutor(4) as threads:
        results = list(in_order(threads, lambda: Slow(lambda item: 0.01 if item < 4 else 0.0), range(40), 4))
    assert results == squares(40)
    assert ended != sorted(ended)


@pytest.mark.parametrize("count", [0, 1, 31, 300])
def test_without_an_executor_the_work_is_done_here_by_one_worker(count: int) -> None:
    assert list(in_order(None, Noting, range(count), 1)) == squares(count)
    assert Noting.opened == Noting.closed == [threading.get_ident()]


class Promise(Future[Any]):
    """Does what was promised when the result is asked for."""

    def __init__(self, keep: Callable[[], Any]) -> None:
        super().__init__()
        self._keep = keep

    def result(self, timeout: float | None = None) -> Any:
        return self._keep()


class Lazy(Executor):
    """Knows how many tasks waited at most."""

    waiting = most = 0

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return Promise(lambda: self._done(task(*given, **named)))

    def _done(self, result: Any) -> Any:
        self.waiting -= 1
        return result


def test_few_chunks_are_under_way_however_many_there_are() -> None:
    lazy = Lazy()
    assert list(in_order(lazy, Noting, range(5000), 2)) == squares(5000)
    assert lazy.most == AHEAD * 2
    all_at_once = Lazy()
    list(all_at_once.map(abs, range(500)))
    assert all_at_once.most == 500


def test_each_thread_opens_once_for_a_run_and_closes_with_its_end() -> None:
    with ThreadPoolExecutor(2) as threads:
        for _ in range(2):
            list(in_order(threads, lambda: Noting(lambda item: 0.0005), range(100), 2))
        assert 2 <= len(Noting.opened) <= 4
        assert Noting.opened.count(Noting.opened[0]) == 2
    time.sleep(0.01)
    assert sorted(Noting.closed) == sorted(Noting.opened)


def test_the_first_fault_in_order_is_told_and_nothing_more_is_begun() -> None:
    begun: list[int] = []

    class Failing(Noting):
        def __call__(self, item: int) -> int:
            begun.append(item)
            if item in (7, 50):
                time.sleep(0.05 if item == 7 else 0.0)
                raise ValueError(f"item {item}")
            return super().__call__(item)

    with ThreadPoolExecutor(2) as threads, pytest.raises(ValueError, match="item 7"):
        list(in_order(threads, lambda: Failing(lambda item: 0.002), range(50_000), 2))
    assert {7, 50} <= set(begun)
    assert max(begun) < (AHEAD * 2 - 2) * jobs._LARGEST


# The same report


@contextmanager
def own_processes() -> Iterator[None]:
    yield None


@contextmanager
def fresh_processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask_cluster(processes: bool) -> Iterator[Executor]:
    distributed = pytest.importorskip("dask.distributed", reason="dask[distributed] is not installed")
    sizes = {"n_workers": 2, "threads_per_worker": 1} if processes else {"n_workers": 1, "threads_per_worker": 2}
    with (
        distributed.LocalCluster(processes=processes, dashboard_address=None, **sizes) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


EXECUTORS: list[Any] = [
    pytest.param(own_processes, id="own processes"),
    pytest.param(lambda: ThreadPoolExecutor(2), id="threads"),
    pytest.param(lambda: dask_cluster(processes=False), id="dask, threads"),
    pytest.param(fresh_processes, id="a pool of processes", marks=pytest.mark.slow),
    pytest.param(lambda: dask_cluster(processes=True), id="dask, processes", marks=pytest.mark.slow),
]
Told = tuple[int, str, str, str]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Told]:
    """Status, standard output, JSON and JUnit of a run, without its times."""

    def check(corpus: Path, *more: str, executor: Executor | None = None) -> Told:
        places = [tmp_path / "report.json", tmp_path / "report.xml"]
        written = ["--json", str(places[0]), "--junit", str(places[1])]
        status = main(["check", "--corpus", str(corpus), *written, *more], executor)
        captured = capsys.readouterr()
        assert captured.err == ""
        report, xml = (
            re.sub(r'"seconds": [\d.]+|"started": "[^"]*"|time(stamp)?="[^"]*"', "", p.read_text()) for p in places
        )
        return status, captured.out, report, xml

    return check


@pytest.mark.clause("conformance.45")
@pytest.mark.parametrize("executor", EXECUTORS)
def test_the_report_is_the_same_whoever_asks(
    corpus: Path, check: Callable[..., Told], executor: Callable[[], AbstractContextManager[Executor | None]]
) -> None:
    alone = check(corpus)
    assert alone[0] == 1
    for part in (SPOILED, "63 passed, 1 failed", "why it exists"):
        assert part in alone[1]
    with executor() as asked:
        assert check(corpus, "--jobs", "2", executor=asked) == alone


@pytest.mark.clause("conformance.45")
@pytest.mark.parametrize("more", [["--in-process"], pytest.param([], marks=pytest.mark.slow)])
def test_each_worker_has_a_target_of_its_own(corpus: Path, check: Callable[..., Told], more: list[str]) -> None:
    alone = check(corpus, str(ONE_AHEAD), *more)
    assert alone[0] == 1
    with ThreadPoolExecutor(2) as threads:
        assert check(corpus, str(ONE_AHEAD), *more, "--jobs", "2", executor=threads) == alone


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, 5])
def test_any_number_of_processes_gives_the_same_report_of_a_target(
    corpus: Path, check: Callable[..., Told], jobs: int
) -> None:
    assert check(corpus, str(ONE_AHEAD), "--jobs", str(jobs)) == check(corpus, str(ONE_AHEAD))


def test_the_cases_stand_in_the_order_of_the_corpus(corpus: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        main(["check", "--corpus", str(corpus), "--jobs", "4", "--json", str(tmp_path / "x.json")], threads)
    asked = [case["id"] for case in json.loads((tmp_path / "x.json").read_text())["cases"]]
    assert asked == [path.relative_to(corpus).with_suffix("").as_posix() for path in Corpus(corpus, corpus).paths()]
    assert len(asked) == CASES


# What goes wrong in a worker


@pytest.fixture
def with_faults(tmp_path: Path) -> Path:
    """A corpus in which two fixtures are none."""
    folder = make_corpus(tmp_path / "faults", 40).root
    for name in ("attention/case_00017", "matrix_product/case_00003"):
        path = folder / f"{name}.yaml"
        path.write_text(path.read_text().replace("profile: core", "profile: kore\nlaw: 1"))
    return folder


def test_a_faulty_fixture_is_told_as_without_workers(with_faults: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--corpus", str(with_faults)]
    alone = main(arguments), capsys.readouterr().err
    assert alone[0] == 2
    assert re.fullmatch(r"(.*attention/case_00017\.yaml:\d+:\d+: .*\n){2}", alone[1])
    with ThreadPoolExecutor(2) as threads:
        assert (main([*arguments, "--jobs", "2"], threads), capsys.readouterr().err) == alone


def test_faults_travel_between_processes() -> None:
    faults = FixtureFaults([Fault(Path("a.yaml"), 1, 2, "wrong"), Fault(Path("a.yaml"), 3, 4, "too")])
    assert str(pickle.loads(pickle.dumps(faults))) == str(faults)


@pytest.mark.parametrize("given", [["no_such_target"], ["--profile", "corre"], ["-k", "(a or"], ["-k", "nothing"]])
def test_bad_usage_is_told_as_without_workers(
    corpus: Path, capsys: pytest.CaptureFixture[str], given: list[str]
) -> None:
    arguments = ["check", "--corpus", str(corpus), *given]
    alone = main(arguments), capsys.readouterr()
    assert alone[0] == 2
    with ThreadPoolExecutor(2) as threads:
        assert (main([*arguments, "--jobs", "2"], threads), capsys.readouterr()) == alone


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "", "9" * 5000, str(MOST_JOBS + 1)])
def test_a_number_of_jobs_that_cannot_be_is_bad_usage(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check", f"--jobs={number}"])
    assert left.value.code == 2
    assert "--jobs" in capsys.readouterr().err


def test_a_worker_that_dies_is_one_line(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dies.py").write_text("import os\ndef causal_softmax(scores): os._exit(3)\n")
    target = [str(tmp_path / "dies.py"), "--in-process", "-k", "softmax"]
    assert main(["check", "--corpus", str(corpus), *target, "--jobs", "2"]) == 2
    assert capsys.readouterr().err == (
        "--jobs: a worker ended in the middle of its cases; --jobs 1 shows what ended it\n"
    )
    assert multiprocessing.active_children() == []


# What is left behind


def test_work_that_was_cut_short_ends_at_once() -> None:
    def interrupted() -> None:
        with Workers(2, "time") as workers:
            for _ in range(9):
                workers.submit(time.sleep, 100)
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert multiprocessing.active_children() == []
    assert time.monotonic() - start < 20


HANGS = """
import os, time
from pathlib import Path
def causal_softmax(scores):
    Path(os.environ["NOTES"], str(os.getpid())).touch()
    time.sleep(1000)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals and process groups are of POSIX")
@pytest.mark.parametrize(
    ("sent", "times", "status"),
    [("SIGINT", 1, 130), ("SIGINT", 3, 130), ("SIGKILL", 1, -9), ("SIGTERM", 1, -15), ("SIGTERM", 3, -15)],
)
def test_no_process_outlives_the_command(corpus: Path, tmp_path: Path, sent: str, times: int, status: int) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    notes = tmp_path / "notes"
    notes.mkdir()
    command = [sys.executable, "-m", "attnspec", "check", str(tmp_path / "hangs.py"), "-k", "softmax", "--jobs", "2"]
    running = subprocess.Popen(
        [*command, "--corpus", str(corpus)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"NOTES": str(notes)},
    )
    wait_until(lambda: len(list(notes.iterdir())) == 2)
    for _ in range(times):
        if sent == "SIGKILL":
            running.kill()
        else:
            os.killpg(running.pid, signal.Signals[sent])  # as a terminal does
        time.sleep(0.1)
    out, err = running.communicate(timeout=30)
    assert running.returncode == status
    assert "Traceback" not in out + err
    if sent == "SIGINT":
        assert (out, err) == ("", "interrupted\n")
    wait_until(lambda: not any(is_running(int(note.name)) for note in notes.iterdir()))


@pytest.mark.slow
def test_what_was_found_before_an_interrupt_is_told(tmp_path: Path) -> None:
    folder = make_corpus(tmp_path, 4000).root
    command = [sys.executable, "-m", "attnspec", "check", "--corpus", str(folder), "--jobs", "2", "--json"]
    place = tmp_path / "report.json"
    running = subprocess.Popen([*command, str(place)], stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(2.5)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert (running.returncode, err) == (130, "interrupted\n")
    report = json.loads(place.read_text())
    assert report["interrupted"]
    ids = [path.relative_to(folder).with_suffix("").as_posix() for path in Corpus(folder, folder).paths()]
    assert [case["id"] for case in report["cases"]] == ids[: len(report["cases"])]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


# Goldens


def regenerated(folder: Path, executor: Executor | None, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    options = tool._options(["--corpus", str(folder), "--jobs", "2", *more])
    status = tool._regenerate(Corpus(folder, ROOT / "spec"), lambda case: True, options, executor)
    return status, capsys.readouterr().out


def test_goldens_are_the_same_whoever_computes_them(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = make_corpus(tmp_path, 40).root / "attention" / "case_00009.golden.json"
    right = missing.read_bytes()
    with ThreadPoolExecutor(2) as threads:
        for folder in (corpus, tmp_path):
            missing.unlink(missing_ok=True)
            alone = regenerated(folder, None, capsys, "--check")
            assert alone[0] == 1
            assert regenerated(folder, threads, capsys, "--check") == alone
        assert regenerated(tmp_path, threads, capsys) == (
            0,
            alone[1].replace(".json\n", ".json (written)\n").replace("1 to be settled", "all current"),
        )
    assert missing.read_bytes() == right


@pytest.mark.slow
def test_the_tool_gives_the_same_with_processes(corpus: Path, with_faults: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "regenerate_goldens.py"), "--check", "--corpus"]
    for folder, status in ((corpus, 1), (with_faults, 2)):
        runs = [
            subprocess.run([*command, str(folder), "--jobs", number], capture_output=True, text=True, check=False)
            for number in ("1", "2")
        ]
        assert (runs[0].returncode, runs[0].stdout, runs[0].stderr) == (
            runs[1].returncode,
            runs[1].stdout,
            runs[1].stderr,
        )
        assert runs[0].returncode == status


# Memory, and the corpora that all this is tried on


def peak(read: Callable[[Iterable[object]], object], cases: Iterable[object]) -> int:
    tracemalloc.start()
    try:
        read(cases)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_reading_holds_one_fixture_at_a_time(corpus: Path) -> None:
    def one_by_one(cases: Iterable[object]) -> None:
        for _ in cases:
            pass

    whole = Corpus(corpus, ROOT / "spec")
    few = peak(one_by_one, (whole.read_path(path) for path in list(whole.paths())[:16]))
    assert peak(one_by_one, whole) < 1.3 * few
    assert peak(list, whole) > 1.3 * few


def test_reports_of_cases_that_passed_hold_what_is_equal_once() -> None:
    parts = (Part("forward", Verdict.PASSED), Part("replay", Verdict.PASSED))
    wrong = (Part("forward", Verdict.FAILED, ("wrong",)),)
    clauses = ("attention.1",)
    given = [CaseReport(f"attention/{number}", "attention", "core", "", clauses, parts, 0.5) for number in range(2)]
    given += [CaseReport("attention/2", "attention", "core", "Why.", clauses, wrong)]
    copies = [pickle.loads(pickle.dumps(report)) for report in given]
    assert copies[0].parts is not copies[1].parts
    shared = list(map(Sharing(), copies))
    assert shared == given
    assert [report.seconds for report in shared] == [0.5, 0.5, 0.0]
    assert shared[0].parts is shared[1].parts
    assert shared[0].clauses is shared[1].clauses is shared[2].clauses


def test_a_made_corpus_has_no_fault_and_no_two_cases_alike(tmp_path: Path) -> None:
    made = make_corpus(tmp_path, 48)
    paths = list(made.paths())
    assert [fault for path in paths for fault in lint_file(path, made.root, made.clauses())] == []
    assert len({path.read_bytes() for path in paths}) == len(paths) == 48
    assert len(list(made.root.rglob("*.golden.json"))) == 42
