"""tools/benchmark.py: its arithmetic under a clock set by hand, its table, and that its sides do the same work.

Nothing is timed here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import _benchmark_attention
import _benchmark_exponential
import _benchmark_growth
import _benchmark_reading
import _benchmark_start
import _corpora
import benchmark
import regenerate_goldens
from _benchmark_machine import has_avx512
from _benchmark_processes import Command, Elsewhere, Ran
from _benchmark_rows import Disagreement, Missing, Row, Section, Target, compared
from _benchmark_table import Outcome, cells, document, markdown, print_outcome
from _benchmark_timing import Bench, Here, Samples, Side
from attnspec.autodiff import operations
from attnspec.cli import main
from attnspec.corpus.request import Answered
from attnspec.targets import numpy_attention
from attnspec.targets.reference import Reference
from corpus_cases import ROOT

QUIET = Bench(rounds=1, shortest=0.0, rest=lambda seconds: None, say=lambda line: None)
MACHINE: dict[str, Any] = {
    "date": "2026-11-30",
    "attnspec": "0.1.0",
    "python": "3.11.7",
    "versions": {"numpy": "2.4.6"},
    "processor": "a processor",
    "machine": "x86_64",
    "cores": 2,
    "avx512": True,
    "load_at_start": 0.1,
    "load_at_end": 1.2,
}


@dataclass
class Clock:
    """A clock that work moves on."""

    now: float = 0.0
    order: list[str] = field(default_factory=list)

    def work(self, name: str, *seconds: float) -> Callable[[], None]:
        """Return work that takes so long each time, the last time over and over."""
        times = iter(seconds)
        last = [0.0]

        def run() -> None:
            self.order.append(name)
            last[0] = next(times, last[0])
            self.now += last[0]

        return run

    def side(self, name: str, *seconds: float, parts: int = 1) -> Here:
        return Here(name, self.work(name, *seconds), parts, lambda: self.now)

    def bench(self, **options: Any) -> Bench:
        return replace(QUIET, **options)


# Times


def test_every_side_is_measured_in_every_round_and_each_begins_one() -> None:
    clock = Clock()
    clock.bench(rounds=3).compare([clock.side(name, 1.0) for name in "abc"], warm=False)
    assert "".join(clock.order) == "abcbcacab"


def test_a_time_is_the_median_over_the_rounds_for_one_part() -> None:
    clock = Clock()
    samples = clock.bench(rounds=3).compare([clock.side("a", 8.0, 100.0, 4.0, parts=4)], warm=False)
    assert samples.median("a") == 2.0


def test_a_ratio_is_the_median_of_the_ratios_of_the_rounds() -> None:
    samples = Samples({"a": [1.0, 10.0, 3.0], "b": [1.0, 5.0, 1.0]})
    assert samples.ratio("a", "b") == 2.0
    assert samples.median("a") / samples.median("b") == 3.0


def test_a_round_that_is_slow_as_a_whole_changes_no_ratio() -> None:
    clock = Clock()
    sides = [clock.side("a", 2.0, 20.0, 200.0), clock.side("b", 1.0, 10.0, 100.0)]
    assert clock.bench(rounds=3).compare(sides, warm=False).ratio("a", "b") == 2.0


def test_what_is_fast_is_called_more_than_once_and_the_first_call_does_not_count() -> None:
    clock = Clock()
    samples = clock.bench(shortest=1.0).compare([clock.side("a", 50.0, 0.25), clock.side("b", 2.0)])
    assert clock.order == ["a"] * 2 + ["b"] * 2 + ["a"] * 4 + ["b"]
    assert samples.of == {"a": [0.25], "b": [2.0]}


def test_there_is_a_rest_before_each_sample() -> None:
    clock = Clock()
    rests: list[float] = []
    bench = clock.bench(rounds=2, settle=0.5, rest=rests.append)
    bench.compare([clock.side("a", 1.0), clock.side("b", 1.0)])
    assert rests == [0.5] * 4


# Rows and targets


@pytest.mark.parametrize(
    ("target", "met"),
    [
        (Target(2.0), True),
        (Target(1.9), False),
        (Target(2.0, is_floor=True), True),
        (Target(2.1, is_floor=True), False),
        (Target(6.0, of_ratio=False), True),
        (Target(5.9, of_ratio=False), False),
        (None, None),
    ],
)
def test_a_target_is_met_or_not(target: Target | None, met: bool | None) -> None:
    assert Row("s", "w", 6.0, "ms", "other", 3.0, 2.0, target).is_met is met


def test_a_row_compares_in_its_unit() -> None:
    row = compared(Samples({"a": [0.006], "b": [0.003]}), ("s", "w"), ("a", "b"), "ms")
    assert (row.value, row.against, row.other, row.ratio) == (6.0, "b", 3.0, 2.0)


def test_the_cells_of_a_row_say_everything() -> None:
    told = cells(Row("s", "w", 1234.5, "ns", "o", 12.34, 100.04, Target(15.0)))
    assert told == ("w", "1,234 ns", "o", "12.3 ns", "100 ×", "at most 15 ×", "NO")
    assert cells(Row("s", "w", 0.0, target=Target(0.0, of_ratio=False)))[1:] == ("0", "", "", "", "at most 0", "yes")
    assert cells(Row("s", "w", 1.0, "ms", "o", 50.0, 0.02))[4:] == ("1/50.0 ×", "", "")


# The tool


def a_section(*rows: Row | Missing, fault: str = "") -> Section:
    def measure(sizes: str, bench: Bench) -> Iterator[Row | Missing]:
        yield from (replace(row, what=f"{row.what} {sizes}, {bench.rounds} rounds") for row in rows)
        if fault:
            raise Disagreement(fault)

    return Section("fruit", measure, "large", "small")


MET = Row("fruit", "apples", 2.0, "ms", "pears", 1.0, 2.0, Target(2.0))
MISSED = Row("fruit", "plums", 3.0, "ms", "pears", 1.0, 3.0, Target(2.0))


@pytest.mark.parametrize(
    ("rows", "words", "status"),
    [([MET], ["--gate"], 0), ([MET, MISSED], ["--gate"], 1), ([MET, MISSED], [], 0)],
)
def test_a_missed_target_decides_only_with_gate(
    rows: list[Row], words: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmark.main(words, [a_section(*rows)]) == status
    assert f"1 of {len(rows)} targets met." in capsys.readouterr().out


def test_a_quick_run_takes_the_small_sizes_and_fewer_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    assert benchmark.main(["--json", "-"], [a_section(MET)]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["what"] == "apples large, 7 rounds"
    assert benchmark.main(["--json", "-", "--quick"], [a_section(MET)]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["what"] == "apples small, 3 rounds"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "fruit: pears are no apples"),
        (["-k", "bread"], "-k bread: no such section; known: fruit"),
        (["-k", "("], "-k: "),
        (["--json", "nowhere/figures.json"], "--json nowhere/figures.json: no such folder"),
        (["--write-readme", "--quick"], "--write-readme tells of the whole run"),
    ],
)
def test_bad_usage_and_a_wrong_comparison_are_one_line_and_status_2(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        benchmark.main(words, [a_section(fault="pears are no apples")])
    assert end.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_the_table_for_people_has_each_row_once_and_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcome(Outcome(MACHINE, 7, [MET, MISSED], [Missing("fruit", "figs", "are not installed")]))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["what", "fruit", "apples", "plums"]
    assert lines[3].split()[1:] == ["3.00", "ms", "pears", "1.00", "ms", "3.00", "×", "at", "most", "2", "×", "NO"]
    assert "Not measured: fruit: figs are not installed." in lines
    assert "numpy 2.4.6; a processor (x86_64, with AVX-512), 2 cores" in lines[5]


@pytest.mark.parametrize(("load", "is_told"), [(1.0, False), (1.1, True)])
def test_figures_of_a_busy_machine_say_so(load: float, is_told: bool) -> None:
    told = markdown(Outcome({**MACHINE, "load_at_start": load}, 7, [MET]))
    assert ("The machine was busy" in told) is is_told


def test_the_load_is_told_as_it_was_before_and_after(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loads = iter([(0.25, 0.0, 0.0), (1.5, 0.0, 0.0)])
    monkeypatch.setattr("os.getloadavg", lambda: next(loads))
    assert benchmark.main(["--json", "-"], [a_section(MET)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["load_at_start"], told["load_at_end"]) == (0.2, 1.5)
    assert "load 0.1 at the start and 1.2 at the end" in " ".join(markdown(Outcome(MACHINE, 7, [MET])).split())


@pytest.mark.parametrize(("load", "is_written"), [(1.0, True), (1.1, False)])
def test_readme_gets_no_figures_of_a_busy_machine(
    load: float, is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(benchmark, "README", tmp_path / "README.md")
    before = "\n".join(benchmark.MARKS)
    benchmark.README.write_text(before, encoding="utf-8")
    if is_written:
        assert benchmark.main(["--write-readme"], [a_section(MET)]) == 0
        assert "| fruit: apples" in benchmark.README.read_text(encoding="utf-8")
    else:
        with pytest.raises(SystemExit) as end:
            benchmark.main(["--write-readme"], [a_section(MET, fault="it was measured")])
        (line,) = capsys.readouterr().err.splitlines()
        assert end.value.code == 2
        assert "--write-readme: the load is 1.1 with 2 cores" in line
        assert benchmark.README.read_text(encoding="utf-8") == before
        assert benchmark.main([], [a_section(MET)]) == 0  # figures that nobody keeps are given, and say it
        assert "The machine was busy" in " ".join(capsys.readouterr().out.split())


def test_the_document_for_machines_holds_figures_and_machine() -> None:
    told = document(Outcome(MACHINE, 7, [MISSED]))
    assert (told["processor"], told["rounds"], told["rows"][0]["ratio"]) == ("a processor", 7, 3.0)
    assert (told["rows"][0]["met"], told["rows"][0]["target"]["limit"]) == (False, 2.0)


def test_readme_gets_the_table_between_its_marks_and_nothing_else_changes(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    before, after = benchmark.MARKS
    readme.write_text(f"# T\n\n{before}\nold\n{after}\n\nend\n", encoding="utf-8")
    outcome = Outcome(MACHINE, 7, [MET])
    for _ in range(2):  # and again over itself
        benchmark.write_readme(readme, outcome)
        assert readme.read_text("utf-8") == f"# T\n\n{before}\n\n{markdown(outcome)}\n\n{after}\n\nend\n"
    assert "| fruit: apples | 2.00 ms | pears | 1.00 ms | 2.00 × | at most 2 × | yes |" in readme.read_text("utf-8")


def test_a_readme_without_a_place_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark, "README", tmp_path / "README.md")
    benchmark.README.write_text("# T\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        benchmark.main(["--write-readme"], [a_section(fault="it was measured")])
    assert "has no place for the table" in capsys.readouterr().err


# The sections, at sizes that take no time


def rows_of(section: Section, sizes: object) -> list[Row]:
    return [row for row in section.measure(sizes, QUIET) if isinstance(row, Row)]


def test_exponentials_are_compared_where_all_of_them_agree() -> None:
    rows = rows_of(_benchmark_exponential.SECTION, _benchmark_exponential.Sizes(64, 32, 8, 16))
    compared_with = [row.against.split(",")[0] for row in rows]
    assert compared_with[:2] == ["np.exp", "math.exp"]
    assert compared_with[-1] == "np.exp"
    assert rows[-1].what == "16 subnormal results"
    assert "gmpy2" in compared_with


def test_the_numbers_with_subnormal_results_have_them() -> None:
    results = np.exp(np.array(_benchmark_exponential.SUBNORMAL))
    assert (results > 0.0).all()
    assert (results < np.finfo(np.float64).smallest_normal).all()


def test_another_function_than_the_exponential_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numpy.exp", lambda x: np.exp2(x))
    with pytest.raises(Disagreement, match=r"np\.exp is \d+ ulps"):
        rows_of(_benchmark_exponential.SECTION, _benchmark_exponential.Sizes(4, 4, 4, 4))


@pytest.mark.parametrize(("found", "most"), [(["X86_V3", "X86_V4"], 15.0), (["AVX512F"], 15.0), (["X86_V3"], 5.0)])
def test_the_target_for_the_exponential_depends_on_the_processor(
    found: list[str], most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numpy.show_config", lambda mode: {"SIMD Extensions": {"found": found}})
    assert _benchmark_exponential.most_times(has_avx512.__wrapped__()) == Target(most)


def test_attention_is_compared_where_all_sides_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_benchmark_attention, "LARGE", 8)
    monkeypatch.setattr(_benchmark_attention, "find_spec", lambda name: None)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    found = list(_benchmark_attention.measure(_benchmark_attention.Sizes((4, 8)), QUIET))
    assert [(one.what, one.against) for one in found if isinstance(one, Row)] == [
        ("T = 4, forward and backward", "the plain loop"),
        ("T = 4, forward and backward", "NumPy with BLAS, 1 thread"),
        ("T = 8, forward and backward", "the plain loop"),
        ("T = 8, forward and backward", "NumPy with BLAS, 1 thread"),
        ("T = 8, peak memory in T×T arrays", ""),
    ]
    assert found[-1] == Missing("attention", "torch", "is not installed")


def test_numpy_is_told_with_the_threads_that_suit_it_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are measured; which is faster is the machine's choice, so the times are set here."""
    times = {
        "attnspec": 8.0,
        "the plain loop": 9.0,
        "NumPy with BLAS, 1 thread": 2.0,
        "NumPy with BLAS, 2 threads": 4.0,
    }
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(_benchmark_attention, "find_spec", lambda name: None)
    monkeypatch.setattr(_benchmark_attention, "Elsewhere", Counted)
    for fastest in ("NumPy with BLAS, 1 thread", "NumPy with BLAS, 2 threads"):
        samples = Samples({name: [1.0 if name == fastest else time] for name, time in times.items()})

        def compare(bench: Bench, sides: Sequence[Side], samples: Samples = samples) -> Samples:
            assert [side.name for side in sides] == list(times)
            return samples

        monkeypatch.setattr(Bench, "compare", compare)
        rows = rows_of(_benchmark_attention.SECTION, _benchmark_attention.Sizes((4,)))
        assert [(row.against, row.ratio) for row in rows] == [("the plain loop", 8.0 / 9.0), (fastest, 8.0)]


class Counted:
    """What stands for a process where only the number of threads matters: it calls here."""

    def __init__(self, threads: int = 0) -> None:
        self.threads = threads

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, *fault: object) -> None:
        pass

    def side(self, name: str, make: Callable[..., Callable[[], Any]], *given: Any) -> Called:
        assert ", ".join(name.split(", ")[1:]) == f"{self.threads} thread{'s' * (self.threads > 1)}"
        return Called(name, make(*given))


@dataclass(frozen=True)
class Called(Here):
    def result(self) -> Any:
        return self.function()


@pytest.mark.parametrize(("made", "said"), [("output", "output"), ("backward", "gradients.key")])
def test_numpy_s_output_and_its_gradients_are_both_compared(
    made: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its way back is what is timed, and the output is no part of that answer."""
    monkeypatch.setattr(_benchmark_attention, "find_spec", lambda name: None)
    monkeypatch.setattr(_benchmark_attention, "Elsewhere", Counted)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    name = "causal_attention" if made == "output" else "causal_attention_vjp"
    right = getattr(numpy_attention, name)

    def wrong(*arrays: Any) -> Any:
        found = right(*arrays)
        return {**found, said.rpartition(".")[2]: found[said.rpartition(".")[2]] * (1.0 + 2.0**-30)}

    monkeypatch.setattr(numpy_attention, name, wrong)
    with pytest.raises(Disagreement, match=f"NumPy with BLAS, 1 thread gives other numbers for {said}"):
        rows_of(_benchmark_attention.SECTION, _benchmark_attention.Sizes((4,)))


def test_the_plain_loop_does_without_the_faster_product(monkeypatch: pytest.MonkeyPatch) -> None:
    request = _benchmark_attention.request_of(4)

    def forbidden(*factors: object, **options: object) -> None:
        raise AssertionError("the faster product was asked")

    monkeypatch.setattr(operations, "product", forbidden)
    assert isinstance(_benchmark_attention.plainly(request), Answered)
    with pytest.raises(AssertionError, match="the faster product"):
        Reference().answer(request)


@pytest.mark.parametrize(
    ("side", "name", "change"),
    [
        (_benchmark_attention.PLAIN, "gradients.query", lambda array: np.nextafter(array, np.inf)),
        (_benchmark_attention.NUMPY, "gradients.key", lambda array: array * (1.0 + 2.0**-30)),
        (_benchmark_attention.NUMPY, "gradients.value", lambda array: np.full_like(array, np.nan)),
        (_benchmark_attention.TORCH, "output", lambda array: array[:, ::-1]),
    ],
)
def test_a_side_that_computes_something_else_is_found_out(
    side: str, name: str, change: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]
) -> None:
    request = _benchmark_attention.request_of(4)
    truth = Reference().answer(request)
    right = _benchmark_attention.results_of(truth)
    _benchmark_attention.must_agree(request, truth, {side: right})
    with pytest.raises(Disagreement, match=f"{side} gives other numbers for {name}"):
        _benchmark_attention.must_agree(request, truth, {side: {**right, name: change(right[name])}})


def test_peak_memory_is_what_a_function_holds_at_most() -> None:
    def hold() -> None:
        np.ones(100_000)
        np.ones(50_000)

    kept = np.ones(1_000_000)
    assert 800_000 <= _benchmark_attention.peak_memory(hold) < 810_000
    assert kept.size == 1_000_000


def test_readers_are_compared_on_the_same_files() -> None:
    rows = rows_of(_benchmark_reading.SECTION, _benchmark_reading.Sizes(4))
    assert [row.what for row in rows] == ["the strict reader, one of 4 files", "whole fixtures, one of 4 files"]


def test_a_reader_that_leaves_something_out_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"about: one\ninputs: {x: [1, [2, 3]]}\n"
    _benchmark_reading.must_agree([Path("x.yaml")], [data])
    assert _benchmark_reading.scalars(data) == 7
    monkeypatch.setattr(_benchmark_reading, "scalars", lambda text: 6)
    with pytest.raises(Disagreement, match=r"x\.yaml: 7 scalars, and 6"):
        _benchmark_reading.must_agree([Path("x.yaml")], [data])


def test_starts_are_measured_and_the_help_loads_no_numpy() -> None:
    sizes = _benchmark_start.Sizes({"attnspec --help": _benchmark_start.Start(("--help",))})
    first, last = rows_of(_benchmark_start.SECTION, sizes)
    assert (first.what, first.against) == ("attnspec --help", 'python -c "import numpy, yaml"')
    assert (last.value, last.is_met) == (0.0, True)


def test_a_help_that_loads_numpy_is_found_out() -> None:
    program = f"import numpy\n{_benchmark_start.LOADED}"
    assert _benchmark_start.numpy_modules(program) > 0


def test_a_command_that_fails_is_found_out() -> None:
    with pytest.raises(Disagreement, match=r"mine: status 3 \(no\)"):
        Command("mine", [sys.executable, "-c", "print('no'); raise SystemExit(3)"]).run()


def test_the_memory_of_a_command_is_its_own_not_that_of_the_benchmark() -> None:
    held = bytearray(150 * 2**20)
    bare = Command("bare", [sys.executable, "-I", "-S", "-c", "pass"]).run()
    holding = Command("holding", [sys.executable, "-I", "-S", "-c", "bytearray(100 * 2**20)"]).run()
    assert bare.mebibytes < 60.0
    assert 95.0 < holding.mebibytes - bare.mebibytes < 105.0
    assert len(held) == 150 * 2**20


def test_a_function_elsewhere_is_called_there_and_its_end_is_told() -> None:
    with Elsewhere() as other:
        side: Side = other.side("there", product_of, 6, 7)
        assert side.seconds(3) >= 0.0
        assert other.side("there", product_of, 6, 8).result() == 48
        other.ask(None)
        with pytest.raises(Disagreement, match="ended before its time"):
            other.side("there", leaving)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted by Linux")
def test_the_threads_of_blas_elsewhere_are_those_that_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    if (os.cpu_count() or 1) < 2 or "openblas" not in str(np.show_config(mode="dicts")).lower():
        pytest.skip("needs OpenBLAS and two processors")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    for threads in (1, 2):
        with Elsewhere(threads) as other:
            assert other.side("there", counting).result() == threads
    assert os.environ["OPENBLAS_NUM_THREADS"] == "7"


def counting() -> Callable[[], int]:
    def count() -> int:
        np.ones((256, 256)).dot(np.ones((256, 256)))
        return len(list(Path("/proc/self/task").iterdir()))

    return count


DEAF = """\
import sys
import benchmark
from _benchmark_processes import Command
from _benchmark_rows import Section
from attnspec.cli import guarded

def measure(sizes, bench):
    bench.say("a command that ignores Ctrl-C")
    deaf = "import signal, time; signal.signal(2, signal.SIG_IGN); time.sleep(60)"
    yield Command("deaf", [sys.executable, "-c", deaf]).run()

sys.exit(guarded(lambda: benchmark.main([], [Section("deaf", measure, None, None)])))
"""


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="Linux tells which processes are left")
@pytest.mark.parametrize(
    "words", [["-c", DEAF], ["tools/benchmark.py", "-k", "attention"]], ids=["command", "function"]
)
def test_ctrl_c_on_a_terminal_is_one_line_and_leaves_no_process(words: list[str]) -> None:
    """A terminal interrupts the whole process group: commands that run, and processes that are still starting."""
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tools"), os.environ.get("PYTHONPATH", "")])},
        start_new_session=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline()  # what is measured now
    wait_until(lambda: len(of_session(process.pid)) > 2)
    time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.splitlines()) == (130, "", ["interrupted"])
    wait_until(lambda: not of_session(process.pid))


def of_session(session: int) -> list[str]:
    """The processes of a session that live: their numbers."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, *_, leader = place.read_text().rpartition(") ")[2].split()[:4]
            found += [place.parent.name] if int(leader) == session and state != "Z" else []
    return found


def wait_until(holds: Callable[[], bool], patience: float = 10.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


def product_of(one: int, other: int) -> Callable[[], int]:
    return lambda: one * other


def leaving() -> Callable[[], None]:
    raise EOFError


# Growth


def corpus_of(count: int, folder: Path) -> Path:
    _corpora.make_corpus(folder, count)
    return folder


def test_what_check_and_regeneration_say_is_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = corpus_of(9, tmp_path)
    assert main(["check", "--corpus", str(folder)]) == 0
    checked = capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["regenerate_goldens.py", "--check", "--corpus", str(folder)])
    assert regenerate_goldens.main() == 0
    regenerated = capsys.readouterr().out
    for name, said in (("check", checked), ("regenerate", regenerated)):
        _benchmark_growth.must_have_done(a_run(name, said), 9)
        with pytest.raises(Disagreement, match="it dealt with"):
            _benchmark_growth.must_have_done(a_run(name, said), 17)


@pytest.mark.parametrize("said", ["", "9 cases: 8 passed, 1 skipped", "9 cases: 8 passed"])
def test_a_check_that_leaves_cases_out_is_found_out(said: str) -> None:
    with pytest.raises(Disagreement):
        _benchmark_growth.must_have_done(a_run("check", said), 9)


def a_run(name: str, said: str) -> Command:
    return Command(name, [], runs=[Ran(1.0, 1.0, 0, said)])


def test_growth_is_told_per_decade_and_for_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {
        "check 1,000": Ran(2.0, 50.0, 0, "1000 cases: 1,000 passed"),
        "check 10,000": Ran(22.0, 60.0, 0, "10,000 cases: 10,000 passed"),
        "check 10,000 --jobs 2": Ran(11.0, 60.0, 0, "10,000 cases: 10,000 passed"),
    }

    def run(command: Command) -> Ran:
        assert ("--jobs" in command.words) == ("jobs" in command.name)
        command.runs.append(told[command.name])
        return command.runs[-1]

    monkeypatch.setattr(Command, "run", run)
    monkeypatch.setattr(_benchmark_growth, "make_corpus", lambda folder, count: None)
    rows = rows_of(_benchmark_growth.SECTION, _benchmark_growth.Sizes((1_000, 10_000), ("check",)))
    assert [(row.what, row.value, row.against, row.ratio, row.is_met) for row in rows] == [
        ("check 1,000", 2.0, "", None, None),
        ("check 10,000", 22.0, "check 1,000", 11.0, False),
        ("check 10,000, memory", 60.0, "check 1,000", 1.2, True),
        ("check 10,000", 22.0, "check 10,000 --jobs 2", 2.0, True),
    ]


@pytest.mark.slow
def test_growth_is_measured_for_both_commands() -> None:
    rows = rows_of(_benchmark_growth.SECTION, _benchmark_growth.Sizes((8, 16)))
    assert [row.what for row in rows if "memory" not in row.what] == [
        f"{command} {count}" for command in ("check", "regenerate") for count in (8, 16, 16)
    ]
    assert all(row.target is None for row in rows)


@pytest.mark.slow
def test_torch_is_compared_where_it_is_installed() -> None:
    pytest.importorskip("torch", exc_type=ImportError)
    rows = rows_of(_benchmark_attention.SECTION, _benchmark_attention.Sizes((4,)))
    assert rows[-1].against == _benchmark_attention.TORCH


def test_every_section_is_in_the_tool_under_a_name_of_its_own() -> None:
    names: Sequence[str] = [section.name for section in benchmark.SECTIONS]
    assert list(names) == ["exponential", "attention", "reading", "growth", "start"]


def test_commands_keep_what_they_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    program = "import sys; print(sys.dont_write_bytecode)"
    assert Command("mine", [sys.executable, "-c", program]).run().said.strip() == "False"
