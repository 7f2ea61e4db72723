"""tools/check_portability.py: which settings it tries, what it finds where bits differ, and what it says is missing."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import _portability_places as elsewhere
import _portability_table as table
import check_portability as tool
from _portability_compare import Difference, differences
from _portability_page import other_corpus, page
from _portability_run import Broken, Platform, Result, run
from _portability_settings import AS_IS, Setting, kernels_of, settings, switched_off
from _portability_tasks import Task, block_tasks, corpus_tasks, exponents, write_requests
from _portability_worker import first_difference, form
from attnspec.corpus.goldens import GoldenError
from attnspec.corpus.request import Request
from attnspec.corpus.store import Corpus
from attnspec.corpus.values import WHOLE_TENSOR, digests
from attnspec.numeric import exponential as fast
from attnspec.numeric import tiled_product
from attnspec.numeric.binary64 import from_bits, to_bits
from attnspec.numeric.careful_exponential import careful_exponential
from corpus_cases import CORPUS, ROOT

SOURCE = ROOT / "src"
HERE = Platform("here", (sys.executable,))


# Settings


def test_every_level_of_the_features_is_switched_off() -> None:
    assert switched_off(["V3", "V4", "ICL"]) == [(), ("ICL",), ("V4", "ICL"), ("V3", "V4", "ICL")]
    assert switched_off([]) == [()]


def test_every_combination_is_tried_once() -> None:
    found = list(settings(["V3", "V4", "ICL"], ["Nehalem", "Haswell"], [1, 2]))
    assert len(found) == len(set(found)) == 4 * 2 * 2
    assert Setting(("V4", "ICL"), "Haswell", 2) in found
    assert list(settings([], [], [])) == [AS_IS]


def test_a_setting_is_told_to_numpy_to_blas_and_to_threads() -> None:
    told = Setting(("V3", "V4"), "Haswell", 2).environment()
    assert (told["NPY_DISABLE_CPU_FEATURES"], told["OPENBLAS_CORETYPE"]) == ("V3 V4", "Haswell")
    assert {told["OPENBLAS_NUM_THREADS"], told["OMP_NUM_THREADS"]} == {"2"}
    assert AS_IS.environment() == {}


def test_a_setting_that_has_no_effect_is_no_run() -> None:
    (description,) = HERE.run(SOURCE)
    off = tuple(description["features"])
    (set_otherwise,) = replace(HERE, setting=Setting(off, threads=3)).run(SOURCE)
    assert (set_otherwise["features"], set_otherwise["threads"]) == ([], 3)
    with pytest.raises(Broken, match="ImportWarning"):
        replace(HERE, setting=Setting(("NO_SUCH_FEATURE",))).run(SOURCE)
    if kernels_of(platform.machine()):
        with pytest.raises(Broken, match="not NoSuchKernel"):
            replace(HERE, setting=Setting(kernel="NoSuchKernel")).run(SOURCE)


def test_what_could_not_be_switched_off_is_no_run() -> None:
    description = {"source": str(SOURCE), "features": ["V3"], "kernel": "Haswell", "threads": 2}
    replace(HERE, setting=Setting(("V4",), "haswell", 2))._check(description, SOURCE)
    with pytest.raises(Broken, match="V3 could not be switched off"):
        replace(HERE, setting=Setting(("V3", "V4")))._check(description, SOURCE)
    with pytest.raises(Broken, match="threads are 2, not 1"):
        replace(HERE, setting=Setting(threads=1))._check(description, SOURCE)


def test_sources_from_elsewhere_are_no_run(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="attnspec came from"):
        HERE.run(tmp_path)


def test_a_variable_of_the_caller_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "NO_SUCH_FEATURE")
    assert HERE.run(SOURCE)[0]["numpy"] == np.__version__


# Tasks


def test_the_exponentials_go_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    by_pairs: list[int] = []
    defined: list[float] = []

    def counted(x: Any) -> Any:
        by_pairs.append(x.size)
        return careful_exponential(x)

    def define(x: float) -> float:
        defined.append(x)
        return math.exp(x)

    monkeypatch.setattr(fast, "careful_exponential", counted)
    monkeypatch.setattr(fast, "exponential_definition", define)
    found = fast.exponential(exponents())
    subnormal = np.count_nonzero((found > 0.0) & (found < 2.0**-1022))
    assert 3_000 < subnormal < sum(by_pairs) - 1_900
    assert sum(by_pairs) < found.size - 10_000
    assert defined


def test_the_products_are_of_many_tiles_with_what_may_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[range] = []
    terms = tiled_product._Tile._terms

    def noted(tile: Any) -> range:
        made.append(terms(tile))
        return made[-1]

    monkeypatch.setattr(tiled_product._Tile, "_terms", noted)
    task = list(block_tasks())[1]
    left, right = task.request.inputs["left"], task.request.inputs["right"]
    assert isinstance(left, np.ndarray)
    assert isinstance(right, np.ndarray)
    assert left.size * right.shape[-1] >= tiled_product._SHARED
    assert form(tiled_product.product(left, right)) == task.expected["product"]
    assert len(made) == 2 * 2 * 2
    assert len(set(made)) > 1  # some leave out what is zero


def test_a_case_with_a_perturbation_is_two_tasks() -> None:
    case = "qkv_projection/only_the_value_weight_changes"
    whole, part = corpus_tasks(CORPUS, case)
    assert (whole.name, part.name) == (case, f"{case}#perturbation")
    assert part.expected.keys() <= whole.expected.keys()
    assert part.expected != whole.expected
    assert part.inputs != whole.inputs


def test_a_golden_of_other_inputs_is_refused(tmp_path: Path) -> None:
    copied(tmp_path, "causal_softmax/three_tokens")
    golden = tmp_path / "causal_softmax/three_tokens.golden.json"
    golden.write_text(golden.read_text().replace('"inputs_sha256": "', '"inputs_sha256": "0'))
    with pytest.raises(GoldenError, match="made from other inputs"):
        list(corpus_tasks(Corpus(tmp_path, ROOT / "spec")))


def test_the_digest_of_a_large_tensor_is_that_of_its_golden() -> None:
    turned = np.arange(WHOLE_TENSOR + 4.0).reshape(2, -1).T
    for tensor in (turned, np.ascontiguousarray(turned), turned.view(np.uint64)):
        assert form(tensor)["sha256"] == digests(tensor)["sha256"]


# Differences


def test_the_goldens_come_out_here(tmp_path: Path) -> None:
    result = asked(tmp_path, HERE, SOURCE)
    assert (result.equal, result.values, result.description["byte_order"]) == (True, 9 + 1 + 9, sys.byteorder)


def test_a_planted_np_exp_is_caught_and_named(tmp_path: Path) -> None:
    """NumPy's exponential is wrong in one of a thousand values at best, and here are 131,328."""
    result = asked(tmp_path, HERE, planted(tmp_path), "causal_softmax/tokens_512")
    assert not result.equal
    said = str(result.differences[0])
    number = "[0-9.e-]+"
    place = r"causal_softmax/tokens_512: probabilities\[[0-9, ]+\]"
    assert re.match(rf"{place}: expected {number}, got {number}, \d+ ulp", said)
    assert re.search(r"; bits 3[0-9a-f]{15}, got 3[0-9a-f]{15}$", said)


def test_a_platform_that_dies_is_no_silence(tmp_path: Path) -> None:
    result = asked(tmp_path, Platform("dead", (sys.executable, "-c", "raise SystemExit('dead')")), SOURCE)
    assert (result.equal, result.fault) == (False, "ended with status 1: dead")
    result = asked(tmp_path, Platform("gone", (str(tmp_path / "no-python"),)), SOURCE)
    assert not result.equal
    assert "No such file" in result.fault


def test_a_missing_answer_is_no_silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Platform, "run", lambda *_: [{"byte_order": "little"}])
    assert asked(tmp_path, HERE, SOURCE).fault == "0 answers to 1 requests"


LARGE = np.linspace(0.0, 1.0, 5_000).reshape(50, 100)


def large_task(values: Any = LARGE) -> Task:
    return Task("case", Request("exponential", {"x": LARGE}), {"y": form(LARGE)}, {"y": values})


def places(values: Any) -> dict[str, Any]:
    """What a worker finds when it compares with LARGE."""
    index, count = first_difference(LARGE, values)
    return {"y": {"index": list(index), "count": count, "bits": to_bits(np.asarray(values[index]))[0]}}


def reply(task: Task, values: Any) -> dict[str, Any]:
    return {"inputs": task.inputs, "forms": {"y": form(values)}}


def test_an_element_of_a_large_tensor_is_found_by_asking_again() -> None:
    wrong = LARGE.copy()
    wrong[7, 3] = np.nextafter(wrong[7, 3], 2.0)
    wrong[8, 1] = -0.0
    (found,) = differences(large_task(), reply(large_task(), wrong), lambda: places(wrong))
    assert (found.mismatch.tensor, found.mismatch.index, found.mismatch.ulps) == ("y", (7, 3), 1)
    assert found.mismatch.remark == "and 1 more of 5,000"
    bits = (found.expected_bits, found.got_bits)
    assert [float(from_bits([one], [])) for one in bits] == [LARGE[7, 3], wrong[7, 3]]


@pytest.mark.parametrize("orders", ["><", "<>", ">>", "=="])
def test_the_bytes_of_a_file_or_of_a_machine_may_be_in_any_order(orders: str) -> None:
    """NumPy's files are little-endian wherever they are read."""
    wrong = LARGE.copy()
    wrong[7, 3] = np.nextafter(wrong[7, 3], 2.0)
    wrong[8, 1] = -wrong[8, 1]
    expected, got = (one.astype(f"{order}f8") for one, order in zip((LARGE, wrong), orders, strict=True))
    assert first_difference(expected, expected.astype(got.dtype)) == ((), 0)
    assert first_difference(expected, got) == ((7, 3), 2)


def test_where_this_machine_cannot_make_the_golden_either_the_digests_are_named() -> None:
    wrong = LARGE.copy()
    wrong[7, 3] = 2.0
    (found,) = differences(large_task(wrong), reply(large_task(), wrong), lambda: pytest.fail("nothing to ask for"))
    digest = "the digest [0-9a-f]{16}"
    assert re.match(rf"case: y: expected {digest}, got {digest} \(this machine", str(found))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"inputs": "0"}, "case: inputs: expected as they were written, got others"),
        ({"refused": "not finite"}, "case: outputs: expected an answer, got not finite"),
        ({"forms": {}}, "case: y: expected a value, got nothing"),
        (
            {"forms": {"y": form(LARGE[:49])}},
            "case: y: expected float64 of shape [50, 100], got float64 of shape [49,",
        ),
        ({"forms": {"y": "7"}}, "case: y: expected float64 of shape [50, 100], got '7'"),
    ],
)
def test_an_answer_of_another_kind_is_a_difference(change: dict[str, Any], said: str) -> None:
    (found,) = differences(large_task(), reply(large_task(), LARGE) | change, dict)
    assert str(found).startswith(said)


def test_a_zero_of_the_other_sign_is_a_difference() -> None:
    task = Task("case", Request("exponential", {"x": LARGE}), {"y": form(np.zeros(2)), "state": "7"})
    forms = {"y": form(np.array([0.0, -0.0])), "state": "8"}
    zero, state = differences(task, {"inputs": task.inputs, "forms": forms}, dict)
    assert str(zero).startswith("case: y[1]: expected 0.0, got -0.0, 1 ulp apart; bits 0000000000000000, got 8000")
    assert str(state) == "case: state: expected 7, got 8"


# The table


def outcome() -> table.Outcome:
    described = {
        "machine": "m",
        "python": "3.14.0",
        "numpy": "2.4.6",
        "byte_order": "big",
        "features": [],
        "kernel": "",
    }
    task = large_task()
    found = tuple(differences(task, reply(task, -LARGE), lambda: places(-LARGE)))
    equal = [Result(Platform("m", (), setting=setting), described, 7) for setting in settings((), ("A", "B"), (1, 2))]
    wrong = Result(Platform("m", (), setting=Setting(("V3",), "A", 1)), described, 7, found)
    dead = Result(Platform("s390x", ()), fault="ended with status 1: Illegal instruction")
    return table.Outcome(3, "c" * 64, [*equal, wrong, dead], [("arm64", "qemu-aarch64-static is missing")])


def test_the_table_has_a_row_for_what_is_switched_off_and_says_what_differs() -> None:
    lines = [" ".join(line.split()) for line in table.text(outcome())]
    assert lines[:4] == [
        "platform switched off runs Python NumPy byte order values bits equal",
        "m nothing 4 3.14.0 2.4.6 big 28 all",
        "m V3, A, 1 thread 1 3.14.0 2.4.6 big 7 not in 1 of 1",
        "s390x nothing 1 0 no answer",
    ]
    assert "not run: arm64: qemu-aarch64-static is missing" in lines
    assert lines[5] == "m, V3, A, 1 thread:"
    assert lines[6].startswith("case: y[0, 0]: expected 0.0, got -0.0")
    assert lines[-2] == "no answer: ended with status 1: Illegal instruction"
    assert lines[-1] == "3 goldens, 6 runs, 35 values compared: 2 runs not equal"
    assert len(table.rows(outcome().results, each=True)) == 6


def test_runs_that_differ_alike_are_told_once() -> None:
    found = outcome()
    wrong = found.results[4]
    lines = list(table.text(replace(found, results=[wrong, replace(wrong, platform=HERE)])))
    assert "m, V3, A, 1 thread, and 1 more run alike:" in lines
    assert sum("y[0, 0]" in line for line in lines) == 1


def test_machines_get_every_run_and_every_difference() -> None:
    told = json.loads(json.dumps(table.document(outcome())))
    assert (told["equal"], len(told["runs"]), told["not_run"][0]["what"]) == (False, 6, "arm64")
    (difference,) = told["runs"][4]["differences"]
    assert (difference["case"], difference["tensor"], difference["index"]) == ("case", "y", [0, 0])
    assert (difference["expected_bits"], difference["got_bits"]) == ("0" * 16, "8" + "0" * 15)


def test_the_page_has_the_table_the_date_and_what_did_not_run() -> None:
    told = page(outcome(), ["oldest"], ["arm64", "s390x"])
    assert "    python tools/check_portability.py --numpy oldest --arch arm64,s390x --write\n" in told
    assert "| m | nothing | 4 | 3.14.0 | 2.4.6 | big | 28 | all |" in told
    assert "- not run: arm64: qemu-aarch64-static is missing" in told
    assert "Written on 20" in told


def test_what_readme_says_was_run_is_in_the_page_with_every_bit_equal() -> None:
    said = (ROOT / "README.md").read_text(encoding="utf-8").split("`tools/check_portability.py`")[1].split("\n\n")[0]
    lines = tool.PAGE.read_text(encoding="utf-8").splitlines()
    kept = [line.split("|")[1:-1] for line in lines if line.startswith("| ")][2:]
    cells = [[cell.strip() for cell in row] for row in kept]
    assert {row[-1] for row in cells} == {"all"}
    emulated = {(row[3].rpartition(".")[0], row[0].split(",")[0]) for row in cells if "qemu" in row[0]}
    by_version = {part[:4]: part for part in said.split("Python ")[1:]}
    told = {(one, name) for one, part in by_version.items() for name in elsewhere.ARCHITECTURES if name in part}
    assert emulated == told
    (versions,) = re.findall(r"NumPy ([0-9.]+[0-9]) and ([0-9.]+[0-9])", said)
    assert {row[4] for row in cells if "NumPy" in row[0]} == set(versions)
    settings_here = sum(int(row[2]) for row in cells if not re.search("NumPy|qemu", row[0]))
    assert f"each of {settings_here} settings" in " ".join(said.split())


def test_readme_tells_the_corpus_that_ran_not_the_one_of_today() -> None:
    said = (ROOT / "README.md").read_text(encoding="utf-8").split("`tools/check_portability.py`")[1].split("\n\n")[0]
    told = re.search(r"On (\S+) each of the (\d+) goldens .* corpus `(\w+)`", " ".join(said.split()))
    page = tool.PAGE.read_text(encoding="utf-8")
    written = re.search(
        r"Written on (\S+) with .* corpus `(\w+)` by.*?^(\d+) goldens, ", page, re.DOTALL | re.MULTILINE
    )
    assert told
    assert written
    assert told.group(1, 3, 2) == written.groups()


def test_a_page_of_another_corpus_is_told_and_one_of_this_corpus_is_not(tmp_path: Path) -> None:
    written = tmp_path / "page.md"
    assert "does not say of which corpus it is" in other_corpus(written, outcome())
    written.write_text(page(outcome(), [], []))
    assert other_corpus(written, outcome()) == ""
    assert other_corpus(written, replace(outcome(), cases=4))
    assert other_corpus(written, replace(outcome(), cases=4, corpus="d" * 64)) == (
        f"spec/results/portability.md is of 3 goldens, corpus {'c' * 16}; these are 4 goldens, corpus {'d' * 16}"
    )


# The tool


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine in one setting, and one case."""
    monkeypatch.setattr(tool, "_of_this_machine", lambda source: iter([HERE]))
    monkeypatch.setattr(tool, "block_tasks", lambda: iter(()))


ONE = ["-k", "causal_mask/four_tokens", "--numpy", ""]


@pytest.mark.usefixtures("short")
def test_what_is_missing_is_one_line_and_no_success(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    arguments = [*ONE, "--arch", "arm64", "--cache", str(tmp_path)]
    assert tool.main(arguments) == 2
    assert tool.main([*arguments, "--if-available"]) == 0
    said = "not run: arm64: qemu-aarch64-static is missing; on Debian, as root: apt-get install qemu-user-static"
    assert capsys.readouterr().out.count(said) == 2
    assert not list(tmp_path.iterdir())


def test_only_root_can_fetch_another_architecture(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(elsewhere.NotRun, match="for root only"):
        elsewhere.emulated("arm64", tmp_path, "http://mirror.invalid/debian")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("short")
def test_a_numpy_that_pip_does_not_have_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def no_pip(*_: object) -> str:
        raise elsewhere.NotRun("python failed: No matching distribution found for numpy==1.26")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elsewhere, "_install", no_pip)
        assert tool.main([*ONE[:2], "--numpy", "oldest", "--cache", str(tmp_path)]) == 2
    assert "not run: NumPy oldest: python failed: No matching distribution" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("short")
def test_a_platform_that_cannot_even_be_described_gives_no_answer_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As where the sources import what an old NumPy does not have."""
    gone = Platform("an old NumPy", (sys.executable, "-c", "raise ImportError('no vecdot')"))
    monkeypatch.setattr(tool, "with_numpy", lambda version, cache: gone if version == "oldest" else HERE)
    arguments = ["-k", ONE[1], "--numpy", "oldest,newest", "--json", str(tmp_path / "out.json")]
    assert tool.main(arguments) == 1
    out = capsys.readouterr().out
    assert re.search("^an old NumPy +nothing +1 .* no answer$", out, re.MULTILINE)
    assert "  no answer: ended with status 1: ImportError: no vecdot" in out
    runs = json.loads((tmp_path / "out.json").read_text())["runs"]
    assert [run["platform"] for run in runs if not run["equal"]] == ["an old NumPy"]
    assert {run["platform"] for run in runs if run["equal"]} == {"here"}


def test_this_machine_without_an_answer_is_told_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise Broken("ended with status 1: ImportError: no vecdot")

    monkeypatch.setattr(Platform, "run", broken)
    (found,) = tool._of_this_machine(SOURCE)
    assert isinstance(found, Result)
    assert found.fault == "ended with status 1: ImportError: no vecdot"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(("written", "said"), [("of another corpus", True), (None, False)])
def test_a_run_over_all_goldens_tells_of_an_older_page_and_fails_nothing(
    written: str | None, said: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tool, "corpus_tasks", lambda *_: corpus_tasks(CORPUS, ONE[1]))
    monkeypatch.setattr(tool, "PAGE", tmp_path / "page.md")
    current = page(table.Outcome(1, CORPUS.hash(), []), [], [])
    tool.PAGE.write_text(written or current, encoding="utf-8")
    assert tool.main(["--numpy", ""]) == 0
    assert ("portability.md" in capsys.readouterr().out) is said
    assert tool.main(ONE) == 0
    assert "portability.md" not in capsys.readouterr().out  # of some cases nothing follows


@pytest.mark.usefixtures("short")
def test_a_difference_is_status_one_and_the_document_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "out.json"
    assert tool.main([*ONE, "--json", str(place)]) == 0
    assert json.loads(place.read_text())["equal"] is True
    wrong = Result(HERE, {}, 1, (Difference("case", outcome().results[4].differences[0].mismatch),))
    monkeypatch.setattr(tool, "run", lambda *_: wrong)
    assert tool.main([*ONE, "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out.split("\n", 3)[3])["runs"][0]["differences"][0]["case"] == "case"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--arch", "i386"], "--arch i386: known are amd64, arm64"),
        (["--write", "-k", "mask"], "leave out -k"),
        (["--source", "."], "no package attnspec in this folder"),
        (["--json", "no/such/folder.json"], "cannot be written"),
        (["-k", "no_such_case"], "no accepted case was chosen"),
        (["-k", "and"], "a part of a case id is missing"),
    ],
)
def test_bad_usage_is_told_before_anything_runs(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        tool.main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_the_lower_bound_of_numpy_is_the_oldest() -> None:
    assert elsewhere.oldest_numpy() == "1.26"


def test_another_lower_bound_is_another_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []
    monkeypatch.setattr(elsewhere, "_call", lambda command: made.append(command[-1]))
    monkeypatch.setattr(elsewhere, "_install", lambda python, wanted: made.append(wanted))
    for bound in ("1.26", "1.26", "2.0"):
        monkeypatch.setattr(elsewhere, "oldest_numpy", lambda bound=bound: bound)
        found = elsewhere.with_numpy("oldest", tmp_path)
        assert found.name.endswith(", oldest NumPy")
        assert Path(found.command[0]).parents[1].is_dir()
    assert [one for one in made if one.startswith("numpy==")] == ["numpy==1.26", "numpy==2.0"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_draft_takes_its_place_only_when_it_is_complete(tmp_path: Path) -> None:
    with pytest.raises(elsewhere.NotRun), elsewhere._made_whole(tmp_path / "root") as draft:  # noqa: PT012
        assert draft is not None
        (draft / "half").touch()
        raise elsewhere.NotRun("interrupted")
    assert not list(tmp_path.iterdir())
    with elsewhere._made_whole(tmp_path / "root") as draft:
        assert draft is not None
    with elsewhere._made_whole(tmp_path / "root") as draft:
        assert draft is None


@pytest.mark.slow
def test_the_levels_are_every_choice_of_code_that_numpy_makes() -> None:
    """NumPy tells the code of 477 functions: what it chose for a set of features it chose for a level, too."""
    (description,) = HERE.run(SOURCE)
    features = description["features"]
    chosen = {off: chosen_without(off) for count in range(len(features) + 1) for off in combinations(features, count)}
    levels = switched_off(features)
    assert all(choice == chosen[levels[-1 - features.index(off[0])]] for off, choice in chosen.items() if off)
    assert len({chosen[level] for level in levels}) > 1 or not features


def chosen_without(off: tuple[str, ...]) -> str:
    """What NumPy says of the code that it chose, function by function."""
    program = "from numpy.lib import introspect; print(introspect.opt_func_info())"
    environment = {**os.environ, **Setting(off).environment()}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
def test_a_planted_np_exp_is_caught_in_every_setting_of_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = planted(tmp_path)
    assert tool.main(["-k", "causal_softmax/tokens_512", "--numpy", "", "--source", str(source)]) == 1
    out = capsys.readouterr().out
    assert "causal_softmax/tokens_512: probabilities[" in out
    assert re.search(r"[0-9]  not in \d+ of \d+$", out, re.MULTILINE)
    assert not re.search(r"[0-9]  all$", out, re.MULTILINE)


def planted(folder: Path) -> Path:
    """A copy of the sources whose softmax takes NumPy's exponential."""
    copy = folder / "src"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    module = copy / "attnspec" / "autodiff" / "softmax.py"
    right = "from attnspec.numeric.exponential import exponential\n"
    text = module.read_text()
    assert right in text
    module.write_text(text.replace(right, "from numpy import exp as exponential\n"))
    return copy


def asked(folder: Path, one: Platform, source: Path, case: str = "causal_softmax/three_tokens") -> Result:
    tasks = list(corpus_tasks(CORPUS, case))
    write_requests(tasks, folder / "requests")
    return run(one, source, tasks, folder / "requests")


def copied(folder: Path, case: str) -> None:
    (folder / case).parent.mkdir()
    for path in (ROOT / "fixtures" / case).parent.glob(f"{case.rsplit('/', 1)[1]}.*"):
        shutil.copy(path, folder / path.relative_to(ROOT / "fixtures"))
