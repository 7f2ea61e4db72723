"""Known failures: what a list excuses, what it must not hide, and how it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from attnspec.cli import main
from attnspec.conformance.known_failures import KnownFailure, KnownFailures
from attnspec.conformance.known_failures_file import ListFaults, TooManyFailures, read, render, write
from attnspec.conformance.verdicts import CaseReport, Part, Verdict
from small_corpus import AHEAD, AHEAD_FAILS, CORRECT, make_small_corpus

TODAY = date(2026, 6, 15)
VERDICTS = {"p": Verdict.PASSED, "f": Verdict.FAILED, "e": Verdict.ERRORED, "s": Verdict.SKIPPED}


def report(case: str, **parts: str) -> CaseReport:
    """A case whose parts passed, failed, errored or were skipped, by their first letter."""
    found = tuple(
        Part(name, VERDICTS[letter], (f"{name} is off",) if letter in "fe" else ()) for name, letter in parts.items()
    )
    return CaseReport(case, case.split("/")[0], "core", "Why.", ("attention.1",), found)


HEAD = report("attention/head", forward="p", gradients="f", replay="p")
TIES = report("causal_softmax/ties", forward="f", gradients="e", replay="p")
FINE = report("causal_softmax/fine", forward="p", gradients="p", replay="p")
BARE = report("causal_mask/bare", forward="s")
RUN = [HEAD, TIES, FINE, BARE]
CASES = [*(one.case for one in RUN), "causal_softmax/not_asked"]


def known(*patterns: str, until: date | None = None) -> KnownFailures:
    return KnownFailures([KnownFailure(pattern, "slow axis", "", until) for pattern in patterns], TODAY)


def complaints(of: KnownFailures, reports: list[CaseReport] = RUN) -> list[str]:
    return [fault.message for fault in [*of.unexpected_passes(reports), *of.stale_entries(reports, CASES)]]


@pytest.mark.clause("conformance.28")
@pytest.mark.parametrize(
    ("pattern", "excused"),
    [
        ("causal_softmax/ties", ["forward", "gradients"]),
        ("causal_softmax/ties#forward", ["forward"]),
        ("causal_softmax/*#grad*", ["gradients"]),
        ("*", ["forward", "gradients"]),
        ("attention/*", []),
        ("causal_softmax/tie", []),
        ("causal_softmax/ties#replay", []),
        ("CAUSAL_SOFTMAX/TIES", []),
    ],
)
def test_an_entry_excuses_what_it_names_and_nothing_else(pattern: str, excused: list[str]) -> None:
    marked = known(pattern).mark(TIES)
    assert [part.name for part in marked.parts if part.known == "slow axis"] == excused
    assert [part.verdict for part in marked.parts] == [part.verdict for part in TIES.parts]


@pytest.mark.clause("conformance.28")
def test_a_case_is_known_when_everything_that_failed_in_it_is() -> None:
    assert known("causal_softmax/ties").mark(TIES).is_known
    assert known("causal_softmax/ties#forward", "causal_softmax/ties#gradients").mark(TIES).is_known
    assert not known("causal_softmax/ties#forward").mark(TIES).is_known
    assert not known("*").mark(FINE).is_known


def test_the_entry_that_names_the_case_speaks_before_a_glob_and_adds_link_and_date() -> None:
    entries = [
        KnownFailure("causal_softmax/*", "all of them"),
        KnownFailure("causal_softmax/ties#forward", "this one", "https://example.org/7", date(2026, 7, 1)),
    ]
    marked = KnownFailures(entries, TODAY).mark(TIES)
    said = [part.known for part in marked.parts if part.known]
    assert said == ["this one (https://example.org/7, until 2026-07-01)", "all of them"]


@pytest.mark.clause("conformance.29")
@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("causal_softmax/fine", "it passed, though known to fail; mend the list"),
        ("attention/head#forward", "it passed, though known to fail"),
        ("causal_softmax/*", "causal_softmax/fine passed, though"),
        ("*#replay", "attention/head#replay and 2 more that it names passed"),
        ("attention/head#*", "attention/head#forward and 1 more that it names passed"),
        ("causal_softmax/not_there", "no case of the corpus has this id; causal_softmax/not_asked has"),
        ("zzz", "no case of the corpus has this id; `attnspec list` has them all"),
        ("dropout/*", "no case of the corpus"),
        ("attention/head#gradient", "there is no such part; there are forward, gradients, replay"),
        ("causal_mask/bare", "it was skipped, so it does not fail"),
        ("causal_mask/*#forward", "it was skipped"),
    ],
)
def test_an_entry_that_is_not_true_is_a_fault(pattern: str, said: str) -> None:
    (message,) = complaints(known(pattern))
    assert message.startswith(f"{pattern}: {said}")


@pytest.mark.clause("conformance.29")
@pytest.mark.parametrize(
    "pattern",
    [
        "attention/head",
        "attention/head#gradients",
        "causal_softmax/t*",
        "causal_softmax/not_asked",
        "causal_softmax/not_asked#forward",
        "causal_softmax/not_asked#isolation",
        "*/*t*#gradients",
        "*d#gradients",
    ],
)
def test_an_entry_that_holds_or_of_which_nothing_was_asked_is_none(pattern: str) -> None:
    assert complaints(known(pattern)) == []


def test_where_half_of_what_an_entry_names_was_skipped_the_rest_may_still_fail() -> None:
    assert complaints(known("causal_mask/*"), [BARE]) != []
    both = known("causal_*/[bn]*")
    assert complaints(both, [BARE]) == []


@pytest.mark.clause("conformance.30")
def test_an_entry_past_its_date_excuses_nothing_and_is_a_fault() -> None:
    last, past = known("causal_softmax/ties", until=TODAY), known("causal_softmax/ties", until=date(2026, 6, 14))
    assert last.mark(TIES).is_known
    assert complaints(last) == []
    assert not past.mark(TIES).is_known
    assert complaints(past) == [
        "causal_softmax/ties: was known to fail until 2026-06-14, which is past; mend it, or give it another date"
    ]
    assert complaints(past, []) == complaints(past)


# The file


@pytest.mark.clause("conformance.31")
@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a: 1\n", ["1:1: a list of entries is expected"]),
        ("- some case\n", ["1:3: a list of entries is expected"]),
        ("- case: a/b\n", ["1:3: no reason; an entry says which case fails, and why"]),
        ("- reason: x\n", ["1:3: no case; an entry"]),
        ("- {case: a/b, reason: ''}\n", ["1:23: reason: nothing stands here"]),
        ("- {case: a/b, reason: [x]}\n", ["1:23: reason: a text is expected"]),
        ("- case: a/b\n  reason:\n", ["2:10: reason: nothing stands here"]),
        ("- {case: a b, reason: x}\n", ["1:10: case: 'a b' is no case; an id, id#part, or a glob"]),
        ("- {case: 'a#', reason: x}\n", ["1:10: case: 'a#' is no case"]),
        (
            "- {case: a/b, reason: x, untill: x}\n",
            ["1:26: untill: no such key; an entry has case, reason, link, until"],
        ),
        ("- {case: a/b, reason: x, until: 2026-02-30}\n", ["1:33: until: 2026-02-30 is no day; YYYY-MM-DD"]),
        ("- {case: a/b, reason: x, until: 20260201}\n", ["1:33: until: 20260201 is no day"]),
        ("- case: *#forward\n  reason: x\n", ["1:10: not YAML: .*; a glob that begins with \\* is quoted"]),
        ("- &a {case: a/b, reason: x}\n- *a\n", ["1:3: the anchor", "2:3: the alias .* is quoted", "2:3: a list of"]),
        ("- {case: a/b, reason: x}\n---\n[]\n", ["2:1: a second document; a file holds one list"]),
        ("- {case: a/b, reason: x}\n- {case: a/b, reason: y}\n", ["2:10: a/b stands here again, first in line 1"]),
        ("- {}\n- {case: a/b, reason: x, a: 1, case: c/d}\n", ["1:3", "1:3", "2:26: a: no such", "2:32: the key case"]),
    ],
)
def test_every_fault_of_a_list_is_told_with_its_place(tmp_path: Path, text: str, faults: list[str]) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ListFaults) as caught:
        read(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(faults), lines
    for line, fault in zip(lines, faults, strict=True):
        assert re.match(f"{re.escape(str(path))}:{fault}", line), line


@pytest.mark.parametrize("text", ["", "# nothing is known\n\n", "[]\n"])
def test_a_list_may_be_empty(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.yaml").write_text(text, encoding="utf-8")
    assert read(tmp_path / "known.yaml") == []


def test_entries_keep_what_stands_in_the_file_and_where(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(
        "# ours\n- case: '*#gradients'\n  reason: 'no: #7'\n  link: https://example.org/7#c\n  until: 2026-07-01\n"
    )
    expected = KnownFailure("*#gradients", "no: #7", "https://example.org/7#c", date(2026, 7, 1), path, 2, 3)
    assert read(path) == [expected]


STRANGE = [
    "it: is",
    '"quoted" \\ \'',
    "- # &a *b !c %d @e",
    "tab\tand\nline",
    "\x00\x1b\x7f\x85\u2028\ufeff",
    "日本 😀",
    "…",
    "null",
    "1e3",
    " x ",
]


@pytest.mark.parametrize("text", STRANGE)
def test_what_is_written_reads_back(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known.yaml"
    entries = [KnownFailure("a/b#perturbation#2", text, text, date(2026, 7, 1)), KnownFailure("*", text)]
    write(path, entries)
    assert [(entry.pattern, entry.reason, entry.link, entry.until) for entry in read(path)] == [
        (entry.pattern, text.strip(), entry.link, entry.until) for entry in entries
    ]


def test_a_list_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path, link = tmp_path / "known.yaml", tmp_path / "link.yaml"
    path.write_text("[]\n")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, [KnownFailure("a/b", "x")])
    assert link.is_symlink()
    assert path.read_text() == render([KnownFailure("a/b", "x")])
    assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(TooManyFailures, match="at most"):
        write(path, [KnownFailure(f"a/b{number}", "x" * 1000) for number in range(2000)])
    assert path.read_text() == render([KnownFailure("a/b", "x")])
    assert sorted(tmp_path.iterdir()) == [path, link]


# The list of a run


def patterns(entries: list[KnownFailure]) -> list[str]:
    return [entry.pattern for entry in entries]


@pytest.mark.clause("conformance.32")
def test_every_failed_part_gets_an_entry_with_its_first_finding() -> None:
    long = CaseReport("a/long", "a", "core", "Why.", (), (Part("forward", Verdict.ERRORED, ("x\x1b " * 99,)),))
    entries = KnownFailures([], TODAY).renewed([TIES, long, FINE, HEAD, BARE], [*CASES, "a/long"])
    assert patterns(entries) == [
        "a/long#forward",
        "attention/head#gradients",
        "causal_softmax/ties#forward",
        "causal_softmax/ties#gradients",
    ]
    assert [entry.reason for entry in entries[1:]] == ["gradients is off", "forward is off", "gradients is off"]
    assert len(entries[0].reason) == 100
    assert "\x1b" not in entries[0].reason


@pytest.mark.clause("conformance.32")
@pytest.mark.parametrize(
    ("former", "written"),
    [
        (["causal_softmax/ties"], ["attention/head#gradients", "causal_softmax/ties"]),
        (["*/*[td]*"], ["*/*[td]*"]),
        (["causal_softmax/not_asked"], [..., "causal_softmax/not_asked"]),
        (["causal_softmax/fine", "zzz/*", "attention/head#gradient"], [...]),
        (["causal_softmax/*"], [...]),
    ],
)
def test_entries_that_hold_stay_and_others_go(former: list[str], written: list[object]) -> None:
    each = ["attention/head#gradients", "causal_softmax/ties#forward", "causal_softmax/ties#gradients"]
    expected = [one for entry in written for one in (each if entry is ... else [entry])]
    before = known(*former)
    entries = before.renewed(RUN, CASES)
    assert patterns(entries) == sorted(map(str, expected))
    assert all(entry.reason == "slow axis" for entry in entries if any(map(entry.case.startswith, former)))


@pytest.mark.clause("conformance.32")
def test_an_entry_that_is_replaced_hands_on_its_words_and_a_date_that_has_passed_is_left_out() -> None:
    glob = KnownFailure("causal_softmax/*", "slow axis", "https://example.org/7", date(2026, 7, 1))
    past = KnownFailure("attention/head", "old", "https://example.org/8", date(2026, 6, 1))
    entries = KnownFailures([glob, past], TODAY).renewed(RUN, CASES)
    assert [(entry.pattern, entry.reason, entry.link, entry.until) for entry in entries] == [
        ("attention/head", "old", "https://example.org/8", None),
        ("causal_softmax/ties#forward", "slow axis", "https://example.org/7", date(2026, 7, 1)),
        ("causal_softmax/ties#gradients", "slow axis", "https://example.org/7", date(2026, 7, 1)),
    ]


@pytest.mark.clause("conformance.32")
@pytest.mark.parametrize("former", [[], ["*"], ["causal_softmax/*", "attention/head#forward"], ["*#gradients"]])
def test_under_the_list_of_a_run_the_same_run_has_no_complaint(former: list[str]) -> None:
    renewed = KnownFailures(known(*former, until=date(2026, 6, 1)).renewed(RUN, CASES), TODAY)
    assert complaints(renewed) == []
    assert all(renewed.mark(one).is_known for one in (HEAD, TIES))
    assert renewed.renewed(RUN, CASES) == list(renewed.entries)


# On the command line


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_small_corpus(tmp_path_factory.mktemp("corpus"))


Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Run `attnspec check` in an empty folder; return the status and what was said on both streams."""
    monkeypatch.chdir(tmp_path)

    def checks(target: Path, *options: str) -> tuple[int, str, str]:
        status = main(["check", str(target), "--in-process", "--corpus", str(corpus), *options])
        return status, *capsys.readouterr()

    return checks


@pytest.mark.clause("conformance.28", "conformance.32")
def test_the_list_that_a_run_writes_makes_the_next_one_pass(check: Check) -> None:
    status, _, err = check(AHEAD, "--write-known-failures", "known.yaml")
    assert (status, err) == (1, "known.yaml: 5 known failures written\n")
    first = Path("known.yaml").read_text()
    status, out, _ = check(AHEAD, "--known-failures", "known.yaml", "--json", "report.json")
    assert status == 0
    assert "5 cases: 2 passed, 3 known" in out
    assert "  causal_softmax/all_tied (forward): probabilities[0, 1]: expected 0.0, got 0.5" in out
    assert "why it exists" not in out
    cases = {case["id"]: case for case in json.loads(Path("report.json").read_text())["cases"]}
    assert [case for case in cases if cases[case].get("known")] == AHEAD_FAILS
    tied = cases["causal_softmax/all_tied"]
    assert (tied["verdict"], tied["parts"][0]["known"]) == ("failed", "probabilities[0, 1]: expected 0.0, got 0.5")
    status, _, _ = check(AHEAD, "--known-failures", "known.yaml", "--write-known-failures", "known.yaml")
    assert (status, Path("known.yaml").read_text()) == (0, first)


@pytest.mark.clause("conformance.28")
def test_where_everything_is_known_to_fail_the_run_passes(check: Check) -> None:
    Path("known.yaml").write_text("- {case: causal_softmax/*, reason: one ahead}\n")
    assert check(AHEAD, "--known-failures", "known.yaml", "-k", "causal_softmax")[0] == 0


@pytest.mark.clause("conformance.29", "conformance.30")
@pytest.mark.parametrize(
    ("target", "entry", "options", "said"),
    [
        (
            CORRECT,
            "{case: causal_mask/one_token, reason: x}",
            [],
            "known.yaml:1:3: causal_mask/one_token: it passed",
        ),
        (
            AHEAD,
            "{case: '*', reason: x}",
            [],
            "known.yaml:1:3: *: causal_mask/one_token and 1 more",
        ),
        (CORRECT, "{case: causal_mask/one, reason: x}", [], "has this id; causal_mask/one_token has"),
        (CORRECT, "{case: causal_mask/one, reason: x}", ["-k", "softmax"], "no case of the corpus has this id"),
        (AHEAD, "{case: causal_softmax/*, reason: x, until: 2001-01-01}", ["-k", "mask"], "until 2001-01-01"),
    ],
)
@pytest.mark.parametrize("place", [[], ["--json", "-"]])
def test_a_list_that_is_not_true_fails_the_run_and_says_where(
    check: Check, target: Path, entry: str, options: list[str], said: str, place: list[str]
) -> None:
    Path("known.yaml").write_text(f"- {entry}\n")
    status, out, err = check(target, "--known-failures", "known.yaml", *options, *place)
    assert status == 1
    assert said in (err if place else out)


@pytest.mark.clause("conformance.29")
def test_a_run_of_a_few_cases_says_nothing_of_the_others(check: Check) -> None:
    check(AHEAD, "--write-known-failures", "known.yaml")
    assert check(AHEAD, "--known-failures", "known.yaml", "-k", "mask")[0] == 0
    assert check(CORRECT, "--known-failures", "known.yaml", "-k", "matrix")[0] == 0
    assert check(CORRECT, "--known-failures", "known.yaml", "--profile", "init", "-k", "splitmix64")[0] == 0


@pytest.mark.clause("conformance.31", "conformance.32")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--known-failures", "nowhere.yaml"], "--known-failures nowhere.yaml: cannot be read: No such file"),
        (["--known-failures", "."], "--known-failures .: cannot be read: Is a directory"),
        (["--known-failures", "bad.yaml"], "bad.yaml:1:3: no reason; an entry says which case fails, and why"),
        (["--write-known-failures", "bad.yaml"], "--write-known-failures bad.yaml: the file exists; give it to"),
        (["--write-known-failures", "known.yaml", "--known-failures", "other.yaml"], "known.yaml: the file exists"),
        (["--write-known-failures", "no/known.yaml"], "no/known.yaml: there is no such folder"),
    ],
)
def test_what_cannot_be_read_or_written_is_told_before_anything_is_asked(
    check: Check, options: list[str], said: str
) -> None:
    for name, text in {"known.yaml": "[]\n", "other.yaml": "[]\n", "bad.yaml": "- case: a/b\n"}.items():
        Path(name).write_text(text)
    status, out, err = check(Path("no_such_target.py"), *options)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert Path("known.yaml").read_text() == "[]\n"
