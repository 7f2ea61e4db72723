"""Reports: what a person reads on a terminal, and what machines read as JSON and as JUnit XML."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import ml_dtypes
import numpy as np
import pytest
from jsonschema import Draft202012Validator

from attnspec.cli import main
from attnspec.conformance.report_schema import report_schema
from attnspec.conformance.report_text import UnreadableReport, read_report, write_report
from attnspec.corpus.legible import legible
from attnspec.corpus.mismatch import steps_between
from attnspec.numeric.formats import FORMATS
from corpus_cases import ROOT

SCHEMA = json.loads((ROOT / "spec" / "schema" / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)

TARGET = """
import numpy as np

DTYPES = ("float64", "float32")

def causal_attention(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ value).astype(value.dtype)

def causal_softmax(scores):
    return np.full(scores.shape, 0.1)

def causal_mask(tokens):
    if tokens == 1:
        raise TypeError("no\\x00 \\x1b[31mred\\ud800\\nones ]]> <b>&")
    return np.zeros((tokens, tokens))

def matrix_product(left, right):
    return left @ right
"""
TOPICS = ("attention", "causal_attention", "causal_softmax", "matrix_product", "causal_mask")
CASES = "three_tokens or one_token or order_of_the_sum"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for topic in TOPICS:
        shutil.copytree(ROOT / "fixtures" / topic, folder / topic)
    return folder


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("target") / "mixed.py"
    path.write_text(TARGET, encoding="utf-8")
    return path


Check = Callable[..., tuple[int, str]]


@pytest.fixture
def check(corpus: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Run the command on the small corpus; return its status and what it printed."""

    def run(*arguments: object, selection: str = CASES) -> tuple[int, str]:
        status = main(["check", "--in-process", "--corpus", str(corpus), "-k", selection, *map(str, arguments)])
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def report(check: Check, target: Path) -> dict[str, Any]:
    """A report in which cases pass, fail, err and are skipped."""
    document: dict[str, Any] = json.loads(check(target, "--json", "-")[1])
    assert all(document["summary"][verdict] for verdict in ("passed", "failed", "errored", "skipped"))
    return document


def parts_of(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for case in report["cases"]:
        yield from case["parts"]


# For machines: JSON


def test_the_schema_is_that_of_the_models_and_says_what_everything_is() -> None:
    assert report_schema() == SCHEMA, "run python tools/export_schema.py"
    objects = [SCHEMA, *SCHEMA["$defs"].values()]
    assert all(each["additionalProperties"] is False and each["description"] for each in objects)
    for each in objects:
        for entry in each["properties"].values():
            assert "description" in entry or "$ref" in entry or "const" in entry


@pytest.mark.clause("conformance.37")
@pytest.mark.parametrize(
    ("more", "selection", "status"),
    [
        (["TARGET"], CASES, 1),
        (["TARGET"], "order_of_the_sum", 0),
        (["TARGET", "--dtype", "float32", "--profile", "all", "--require-repeatable"], "causal_attention/three", 0),
        (["TARGET"], "no_such_case", 2),
        ([], "three_tokens", 0),
    ],
)
def test_a_report_of_any_run_has_the_form_of_the_schema(
    check: Check, target: Path, more: list[str], selection: str, status: int
) -> None:
    arguments = [str(target) if argument == "TARGET" else argument for argument in more]
    got, out = check(*arguments, "--json", "-", selection=selection)
    assert got == status
    VALIDATOR.validate(json.loads(out))
    assert write_report(read_report(out)) == out


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown key": lambda report: report.update(more=1),
    "an unknown key of a case": lambda report: report["cases"][0].update(more=1),
    "an unknown key of a part": lambda report: report["cases"][0]["parts"][0].update(more=1),
    "no hash": lambda report: report["corpus"].pop("hash"),
    "half a hash": lambda report: report["corpus"].update(hash="12ab"),
    "a verdict that is none": lambda report: report["cases"][0].update(verdict="great"),
    "a number as text": lambda report: report["summary"].update(passed="3"),
    "a negative share": lambda report: report["cases"][0]["parts"][0].update(share=-0.5),
    "another format": lambda report: report.update(format=2),
    "no cases": lambda report: report.pop("cases"),
    "a time without its zone": lambda report: report.update(started="2026-11-30T08:00:00"),
    "half an index": lambda report: report["cases"][0]["parts"][0].update(
        findings=[{"message": "", "index": [0, 0.5]}]
    ),
}


@pytest.mark.clause("conformance.37")
@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_report_is_refused_by_schema_and_reader(report: dict[str, Any], broken: str) -> None:
    spoilt = copy.deepcopy(report)
    BROKEN[broken](spoilt)
    assert not VALIDATOR.is_valid(spoilt)
    with pytest.raises(UnreadableReport) as caught:
        read_report(json.dumps(spoilt))
    assert "\n" not in str(caught.value)


def test_a_case_that_stands_twice_is_refused(report: dict[str, Any]) -> None:
    twice = report | {"cases": [*report["cases"], report["cases"][0]]}
    with pytest.raises(UnreadableReport, match="stands there twice"):
        read_report(json.dumps(twice))


@pytest.mark.clause("conformance.37")
def test_two_runs_give_the_same_report_but_for_their_time(check: Check, target: Path, report: dict[str, Any]) -> None:
    again = json.loads(check(target, "--json", "-")[1])
    for each in (report, again):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", each.pop("started"))
        assert 0.0 < each.pop("seconds") < 60.0
    assert report == again


@pytest.mark.clause("conformance.37")
def test_a_report_says_what_ran_where_and_what_was_asked(check: Check, target: Path, report: dict[str, Any]) -> None:
    assert report["checked_by"]["numpy"] == np.__version__
    assert report["checked_by"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert report["platform"]["system"]
    assert report["options"] == {
        "level": "bound",
        "dtype": "float64",
        "profiles": ["core"],
        "selection": CASES,
        "require_repeatable": False,
    }
    other = json.loads(check(target, "--json", "-", "--level", "bits", "--profile", "all", "--require-repeatable")[1])[
        "options"
    ]
    assert (other["level"], len(other["profiles"]), other["require_repeatable"]) == ("bits", 6, True)


@pytest.mark.clause("conformance.36", "conformance.37")
def test_shares_and_distances_are_numbers(report: dict[str, Any]) -> None:
    wrong = [finding for part in parts_of(report) for finding in part.get("findings", ()) if "bound" in finding]
    assert wrong
    for finding in wrong:
        expected, got = float(finding["expected"]), float(finding["got"])
        assert finding["share"] > 1.0 if finding["bound"] else "share" not in finding
        assert abs(got - expected) > finding["bound"]
        assert finding["ulps"] == steps_between(expected, got)
    used = [part for part in parts_of(report) if "share" in part]
    assert used
    assert all(0.0 < part["share"] <= 1.0 and part["ulps"] >= 1 for part in used)


def test_what_a_target_says_reaches_a_report_as_one_line(report: dict[str, Any]) -> None:
    said = {finding["message"] for part in parts_of(report) for finding in part.get("findings", ())}
    assert "TypeError: no\\x00 \\x1b[31mred\\ud800 ones ]]> <b>&" in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain · text", "plain · text"),
        (" two\r\nlines\t\tof it\n", "two lines of it"),
        ("\x1b[2J\x07\x9b\x7f", "\\x1b[2J\\x07\\x9b\\x7f"),
        ("a\u202eb\ud83d\uffff", "a\\u202eb\\ud83d\\uffff"),
        ("x" * 2007, "x" * 2000 + "… and 7 more characters"),
    ],
)
def test_a_text_is_made_legible(text: str, line: str) -> None:
    assert legible(text) == line


@pytest.mark.clause("conformance.36")
@pytest.mark.parametrize(("name", "bits", "type_"), [("float16", 16, np.float16), ("bfloat16", 16, ml_dtypes.bfloat16)])
def test_distances_are_steps_of_the_type_that_was_asked_for(name: str, bits: int, type_: Any) -> None:
    sizes = np.arange(2 ** (bits - 1), dtype=np.uint16)
    values = sizes.view(type_)
    for size, value in zip(sizes[::7].tolist(), values[::7].tolist(), strict=True):
        if value == value:
            assert steps_between(0.0, value, FORMATS[name]) == size
            assert steps_between(-value, value, FORMATS[name]) == 2 * size


def test_a_distance_is_taken_between_the_nearest_numbers_of_the_type() -> None:
    one = np.nextafter(np.float32(1.0), np.float32(2.0)).item()
    assert steps_between(1.0 + 1e-12, one, FORMATS["float32"]) == 1
    assert steps_between(1e300, float("inf"), FORMATS["float32"]) == 0
    assert steps_between(FORMATS["float32"].largest, float("inf"), FORMATS["float32"]) == 1
    assert steps_between(float("nan"), 1.0, FORMATS["float32"]) is None


# For people


@pytest.mark.clause("conformance.36")
def test_a_summary_counts_by_topic_and_by_profile(check: Check, target: Path) -> None:
    _, out = check(target, "--profile", "core", "--profile", "strict")
    heads = re.findall(r"^(topic|profile) +passed +failed +errored +skipped$", out, re.MULTILINE)
    assert heads == ["topic", "profile"]
    rows = {name: counts.split() for name, counts in re.findall(r"^(\w+)((?: +(?:\d+|·)){4})$", out, re.MULTILINE)}
    assert {"causal_attention", "causal_mask", "core"} <= rows.keys()
    total = np.array([[0 if count == "·" else int(count) for count in rows[name]] for name in rows])
    is_profile = np.array([name in ("core", "strict") for name in rows])
    assert (total[is_profile].sum(axis=0) == total[~is_profile].sum(axis=0)).all()


@pytest.mark.clause("conformance.36")
def test_a_failure_is_told_with_all_that_helps(check: Check, target: Path) -> None:
    status, out = check(target, selection="causal_mask/one_token or causal_softmax/three_tokens")
    assert status == 1
    for pattern in (
        r"^failed causal_softmax/three_tokens$",
        r"^  why it exists: ",
        r"^  clauses: causal_softmax\.\d+",
        r"^  forward: probabilities\[.+\]: expected \S+, got 0\.1, .+ ulps apart, its bound is 0 \(and 8 more of 9\)",
        r"^  row_sums: .+, [\d,]+ ulps apart, \S+ times its bound of \S+ \(and 2 more of 3\)",
        r"^  forward, replay: TypeError: no\\x00 \\x1b\[31mred",  # what broke all parts in one way is told once
        r"^  causal_softmax\.\d+ +1 of 1  \w+",
        r"^2 cases: 1 failed, 1 errored$",
    ):
        assert re.search(pattern, out, re.MULTILINE), (pattern, out)
    assert not set(map(chr, range(32))) - {"\n"} & set(out)


def test_the_clauses_of_failures_are_told_with_those_first_that_nothing_passed(check: Check, target: Path) -> None:
    _, out = check(target, selection="causal_softmax")
    counts = [(int(bad), int(all_)) for bad, all_ in re.findall(r"^  \w+\.\d+ +(\d+) of (\d+)  ", out, re.MULTILINE)]
    assert 2 <= len(counts) <= 8
    assert counts == sorted(counts, key=lambda count: (-count[0] / count[1], -count[0]))


def test_verbose_says_how_much_of_the_bounds_each_part_used(check: Check, target: Path) -> None:
    _, out = check(target, "-v", selection="causal_attention/three_tokens")
    assert re.search(
        r"^passed  causal_attention/three_tokens  .*perturbation passed \([\d.]+% of a bound, \d+ ulps?; ", out, re.M
    )
    assert re.search(r"at most [\d.]+% of a bound was used \(\d+ ulps?, causal_attention/three_tokens\)$", out, re.M)


@pytest.mark.parametrize("columns", [120, 80, 60, 30])
def test_on_a_terminal_long_lines_are_folded_at_blanks_and_stay_indented(
    check: Check, target: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """Elsewhere a line stays a line; a terminal of 30 columns may fold as it likes."""
    selection = "causal_softmax/three_tokens or causal_mask/one"
    _, piped = check(target, "-v", selection=selection)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    _, shown = check(target, "-v", selection=selection)
    plain = re.sub("\x1b\\[[0-9;]*m", "", shown)
    assert shown != plain, "there are colours"
    if columns == 30:
        assert max(map(len, plain.splitlines())) > 80
        return
    assert max(len(line) for line in plain.splitlines() if not line.startswith("corpus: ")) <= columns
    cut = re.compile(r"  \w+\.\d+ +\d+ of \d+  |corpus: ")
    long = [line for line in piped.splitlines() if len(line) > columns and not cut.match(line)]
    assert len(long) > 3
    for line in long:
        blank = re.match(" *", line)[0]  # type: ignore[index]  # it always matches
        folded = rf"(?: |\n{blank}  )".join(map(re.escape, re.split(r"(?<=\S) ", line)))
        assert re.search(f"^{folded}$", plain, re.MULTILINE), line


@pytest.mark.clause("conformance.13")
def test_ulps_beside_zero_are_left_to_machines(check: Check, tmp_path: Path) -> None:
    """What cancels to zero has a bound of a great many ulps, and one rounding of its terms is as many."""
    (tmp_path / "backwards.py").write_text(
        "def matrix_product(left, right):\n"
        "    columns = range(left.shape[-1])\n"
        "    return sum(left[..., column, None] * right[..., column, None, :] for column in reversed(columns))\n"
    )
    report = tmp_path / "report.json"
    _, out = check(tmp_path / "backwards.py", "-v", "--json", report, selection="order_of_the_sum")
    assert "; at most 12.5% of a bound was used (matrix_product/order_of_the_sum)\n" in out
    assert "forward passed (12.5% of a bound)" in out
    ((forward, _),) = (case["parts"] for case in json.loads(report.read_text())["cases"])
    assert forward["ulps"] > 2**60


@pytest.mark.clause("conformance.13")
@pytest.mark.parametrize(("level", "told"), [("bound", True), ("bits", False)])
def test_in_bits_no_share_of_a_bound_is_told(check: Check, tmp_path: Path, level: str, told: bool) -> None:
    """The sum of a row has a tolerance at either level, which says nothing of the bits."""
    (tmp_path / "nearly.py").write_text(
        "import numpy as np\n"
        "def causal_softmax(scores):\n"
        "    shown = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)\n"
        "    weights = np.exp(shown - shown.max(-1, keepdims=True))\n"
        "    return weights / weights.sum(-1, keepdims=True) * (1.0 + 2.0**-52)\n"
    )
    report = tmp_path / "report.json"
    rest = ("--level", level, "-v", "--json", report)
    _, out = check(tmp_path / "nearly.py", *rest, selection="causal_softmax/three_tokens")
    parts = {part["name"]: part for part in parts_of(json.loads(report.read_text()))}
    assert parts["row_sums"]["verdict"] == "passed"
    assert ("share" in parts["row_sums"], "ulps" in parts["row_sums"], "% of a bound" in out) == (told,) * 3


# For systems that show tests: JUnit


def junit_of(check: Check, *arguments: object) -> Element:
    return ElementTree.fromstring(check(*arguments, "--junit", "-")[1])


def junit_faults(root: Element) -> Iterator[str]:
    """Yield where a tree departs from what readers of JUnit XML rely on."""
    if root.tag != "testsuites":
        yield f"the root is {root.tag}"
    for element in [root, *root]:
        cases = list(element.iter("testcase"))
        counted = {"tests": len(cases)}
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            counted[name] = sum(case.find(tag) is not None for case in cases)
        for name, count in counted.items():
            if element.get(name) != str(count):
                yield f"{element.get('name')}: {name} is {element.get(name)}, there are {count}"
        if not re.fullmatch(r"\d+\.\d{3}", element.get("time", "")):
            yield f"{element.get('name')}: no time"
    for suite in root:
        if suite.tag != "testsuite" or {child.tag for child in suite} - {"properties", "testcase"}:
            yield f"{suite.tag}: no suite"
    for case in root.iter("testcase"):
        if not (case.get("name") and case.get("classname") and re.fullmatch(r"\d+\.\d{3}", case.get("time", ""))):
            yield f"a case without name, classname or time: {case.attrib}"
        outcomes = [child.tag for child in case if child.tag != "properties"]
        if len(outcomes) > 1 or set(outcomes) - {"failure", "error", "skipped"}:
            yield f"{case.get('name')}: {outcomes}"
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    if len(set(names)) < len(names):
        yield "two cases of one name"


@pytest.mark.clause("conformance.38")
def test_junit_has_a_suite_per_topic_and_the_verdict_of_each_case(
    check: Check, target: Path, report: dict[str, Any]
) -> None:
    root = junit_of(check, target)
    assert list(junit_faults(root)) == []
    assert [suite.get("name") for suite in root] == list(dict.fromkeys(case["operation"] for case in report["cases"]))
    tags = {"failed": "failure", "errored": "error", "skipped": "skipped", "passed": "properties"}
    cases = {
        f"{case.get('classname', '').replace('.', '/')}/{case.get('name')}": case for case in root.iter("testcase")
    }
    assert cases.keys() == {case["id"] for case in report["cases"]}
    for case in report["cases"]:
        assert cases[case["id"]][-1].tag == tags[case["verdict"]]
        properties = {each.get("name"): each.get("value") for each in cases[case["id"]].iter("property")}
        assert properties["clauses"] == " ".join(case["clauses"])
        assert properties["profile"] == case["profile"]
        shares = [part["share"] for part in case["parts"] if "share" in part]
        assert [float(properties["share"] or 0)] == [max(shares)] if shares else "share" not in properties
    (error,) = cases["causal_mask/one_token"].iter("error")
    assert error.get("message") == "forward: TypeError: no\\x00 \\x1b[31mred\\ud800 ones ]]> <b>&"
    (failure,) = cases["causal_softmax/three_tokens"].iter("failure")
    assert re.search(r"why it exists: .+\nclauses: .+\nforward: probabilities\[", failure.text or "")


def renamed(root: Element, old: str, new: str) -> None:
    for element in list(root.iter(old)):
        element.tag = new


JUNIT_BROKEN: dict[str, Callable[[Element], object]] = {
    "another root": lambda root: renamed(root, "testsuites", "tests"),
    "a wrong count": lambda root: root[0].set("failures", "77"),
    "no count": lambda root: root.attrib.pop("tests"),
    "no time": lambda root: root[0].attrib.pop("time"),
    "a case of no name": lambda root: next(root.iter("testcase")).set("name", ""),
    "an outcome of its own": lambda root: renamed(root, "failure", "failed"),
    "a case twice": lambda root: root[0].append(next(root.iter("testcase"))),
}


@pytest.mark.parametrize("broken", JUNIT_BROKEN)
def test_broken_junit_is_caught(check: Check, target: Path, broken: str) -> None:
    root = junit_of(check, target)
    JUNIT_BROKEN[broken](root)
    assert list(junit_faults(root))


@pytest.mark.clause("conformance.38")
def test_a_known_failure_is_skipped_in_junit_and_an_untrue_list_fails(
    check: Check, target: Path, tmp_path: Path
) -> None:
    known = tmp_path / "known.yaml"
    known.write_text(
        "- {case: causal_softmax/three_tokens, reason: in work}\n- {case: causal_softmax/no_such, reason: gone}\n"
    )
    root = junit_of(check, target, "--known-failures", known)
    assert list(junit_faults(root)) == []
    (case,) = (case for case in root.iter("testcase") if case.find("skipped[@type='known']") is not None)
    assert "in work" in case[-1].get("message", "")
    assert [suite.get("name") for suite in root][-1] == "known_failures"
    assert root[-1].get("failures") == "1"


# Where reports go, and runs that end early


@pytest.mark.parametrize("option", ["--json", "--junit"])
@pytest.mark.parametrize("place", ["no/such/folder/report", "", "."])
def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, place: str
) -> None:
    eager = tmp_path / "eager.py"
    eager.write_text("raise RuntimeError('asked')")
    assert main(["check", str(eager), "--in-process", option, place]) == 2
    assert (
        capsys.readouterr().err
        == f"{option} {place!r}: cannot be written: the name of a file in a folder is expected\n"
    )


def test_standard_output_holds_one_report_and_nothing_else(check: Check, target: Path, tmp_path: Path) -> None:
    status, _ = check(target, "--json", "-", "--junit", "-")
    assert status == 2
    file = tmp_path / "report.xml"
    _, out = check(target, "--json", "-", "--junit", file)
    assert json.loads(out)["cases"]
    assert ElementTree.parse(file).getroot().tag == "testsuites"


CHATTY = """
import ctypes, os, sys
import numpy as np
from sys import stdout

def say(where):
    print(where, "by print")
    stdout.write(f"{where} to the stream\\n")
    sys.__stdout__.write(f"{where} to the first stream\\n")
    os.system(f"echo {where} by a process")
    os.write(1, f"{where} by number\\n".encode())
    ctypes.CDLL(None).puts(f"{where} in C".encode())

say("at import")

def causal_mask(tokens):
    say("in a call")
    return np.where(np.tri(tokens, dtype=bool), 0.0, -np.inf)
"""


@pytest.mark.clause("conformance.47")
@pytest.mark.parametrize("more", [[], pytest.param(["--jobs", "2"], marks=pytest.mark.slow)])
@pytest.mark.parametrize(("option", "reads"), [("--json", json.loads), ("--junit", ElementTree.fromstring)])
def test_what_a_target_prints_in_this_process_stays_out_of_the_report(
    tmp_path: Path, option: str, reads: Callable[[str], object], more: list[str]
) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY, encoding="utf-8")
    arguments = ["check", str(tmp_path / "chatty.py"), "--in-process", "-k", "causal_mask/four_tokens", *more]
    command = [sys.executable, "-m", "attnspec", *arguments, option, "-"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=buffered)
    assert (done.returncode, bool(reads(done.stdout))) == (0, True)
    for where in ("at import", "in a call"):
        for how in ("by print", "to the stream", "to the first stream", "by a process", "by number", "in C"):
            assert f"{where} {how}\n" in done.stderr


@pytest.mark.clause("conformance.47")
def test_standard_output_is_as_it_was_when_a_report_has_been_written_to_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY, encoding="utf-8")
    main(["check", str(tmp_path / "chatty.py"), "--in-process", "-k", "causal_mask/four_tokens", "--json", "-"])
    os.write(1, b"later\n")
    report, later, rest = capfd.readouterr().out.partition("later\n")
    assert (json.loads(report)["summary"]["passed"], later, rest) == (1, "later\n", "")


@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_a_report_that_is_to_go_to_a_closed_output_is_one_line_and_status_two(option: str) -> None:
    line = f"{sys.executable} -m attnspec check -k causal_mask/four_tokens {option} - >&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "a report is to go to standard output, which is closed; name a file\n")


@pytest.mark.clause("conformance.36")
def test_what_was_asked_before_an_interrupt_is_told(check: Check, tmp_path: Path) -> None:
    target, report = tmp_path / "tired.py", tmp_path / "report.json"
    target.write_text(
        "def causal_mask(tokens):\n    if tokens == 1: raise KeyboardInterrupt\n    return []\n", encoding="utf-8"
    )
    status, out = check(target, "--json", report, selection="causal_mask")
    document = json.loads(report.read_text(encoding="utf-8"))
    VALIDATOR.validate(document)
    assert (status, document["interrupted"]) == (130, True)
    assert 1 <= len(document["cases"]) < 4
    assert "interrupted: the cases above are those that were asked until then" in out


@pytest.mark.slow
@pytest.mark.clause("conformance.36")
@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_the_run_and_leaves_no_process(tmp_path: Path, presses: int) -> None:
    target, asked = tmp_path / "slow.py", tmp_path / "asked"
    target.write_text(
        "import os, time\n"
        "def causal_mask(tokens):\n"
        f"    open({str(asked)!r}, 'a').write(f'{{os.getpid()}} ')\n"
        "    if tokens == 1:\n        time.sleep(600)\n"
        "    return [[0.0] * tokens] * tokens\n"
    )
    command = [sys.executable, "-m", "attnspec", "check", str(target), "-k", "causal_mask"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while (not asked.exists() or len(asked.read_text().split()) < 5) and time.monotonic() < deadline:
        time.sleep(0.05)
    for _ in range(presses):  # the second comes while the target is asked to stop, and is not waited for any longer
        running.send_signal(signal.SIGINT)
        time.sleep(0.5)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, "Traceback" in err, "interrupted" in err) == (130, False, True)
    assert "interrupted: the cases above" in out
    with pytest.raises(ProcessLookupError):
        os.kill(int(asked.read_text().split()[-1]), 0)


def test_gradients_that_could_not_be_asked_and_runs_that_differ_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
import itertools
import numpy as np
count = itertools.count()
def causal_softmax(scores):
    shown = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    weights = np.exp(shown - shown.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) * (1.0 + 2.0**-52 * (next(count) % 2))
def causal_softmax_vjp(scores, sent):
    return {"scores": sent}
"""
    (tmp_path / "half.py").write_text(text, encoding="utf-8")
    assert main(["check", str(tmp_path / "half.py"), "-k", "causal_softmax/three_tokens", "--in-process"]) == 0
    said = capsys.readouterr().out
    assert "gradients of 1 case not compared: needs probabilities_upstream" in said
    assert "two runs of 1 case differed, within the bound" in said
