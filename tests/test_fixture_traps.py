"""YAML's traps: what PyYAML and its users are known to trip over, each with what the strict reader makes of it."""

from __future__ import annotations

import math
import struct
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attnspec.corpus.characters import LARGEST
from attnspec.corpus.faults import MOST, Fault, FixtureFaults
from attnspec.corpus.yaml_reader import DEPTH, disagreement, read_tree
from fixture_texts import EXPONENTIAL, HEAD, NAMES, SPLITMIX64, faults_of, fixture_of, text_of

NUMBERS = {
    # decimals of YAML 1.2 that PyYAML takes for text
    "1e-3": 0.001,
    "1e-6": 1e-6,
    "1e+10": 1e10,
    "1.0e10": 1e10,
    "5e-324": 5e-324,
    "-1e3": -1000.0,
    "1E3": 1000.0,
    "3.": 3.0,
    "+.5": 0.5,
    # what it takes for octal
    "012": 12.0,
    "010": 10.0,
    "08": 8.0,
    # rounded once, with its sign
    "-0": -0.0,
    "-0.0": -0.0,
    "0.1": 0.1,
    "9007199254740993": 9007199254740992.0,
    "1e-999": 0.0,
    "1.7976931348623158e308": 1.7976931348623157e308,
    # not finite
    ".inf": math.inf,
    "+.INF": math.inf,
    "-.Inf": -math.inf,
    ".NaN": math.nan,
    # exact forms
    '"0x1.8p-3"': 0.1875,
    "-0x1p-1074": -5e-324,
    "0x10": 16.0,
    "'bits:3fe0000000000000'": 0.5,
    '"bits:8000000000000000"': -0.0,
    '"bits:7ff8000000000000"': math.nan,
}
NO_NUMBERS = {
    "1e999": "overflows",
    "1.0e+400": "overflows",
    "9" * 400: "overflows",
    '"0x1p1024"': "overflows",
    "yes": "not a number",
    "on": "not a number",
    "true": "not a number",
    "nan": "not a number",
    "NaN": "not a number",
    "inf": "not a number",
    "Infinity": "not a number",
    "1_000": "not a number",
    "0o17": "not a number",
    "1:30": "not a number",
    "12:30:45": "not a number",
    "1:30.5": "not a number",
    "2001-01-01": "not a number",
    "1,5": "not a number",
    "=": "not a number",
    "١": "not a number",
    '"bits:3fe"': "not a number",
    '"1.5"': "without quotes",
    "": "nothing stands here",
    "~": "nothing stands here",
    "null": "nothing stands here",
    "{}": "expected",
    "[]": "no certain shape",
    "[[], []]": "no certain shape",
    "[1, [2]]": "a list where a number is expected",
    "[[1], 2]": "ragged",
    "[[1, 2], [3]]": "ragged: 1 entries here, 2 in the first",
}
INTEGERS = {
    "0": 0,
    "-0": 0,
    "012": 12,
    "18446744073709551615": 2**64 - 1,
    '"0xe220a8397b1dcdaf"': 0xE220A8397B1DCDAF,
    "0x1F": 31,
}
NO_INTEGERS = ["1.0", "1e3", '"12"', "1_0", "yes", "0o17", "18446744073709551616", "9" * 5000, "[1]", "0x", ""]
TEXTS = ["yes", "no", "on", "off", "y", "1:30", "2001-01-01", "=", "<<", "nan", "1_000", "'12'", '"true"', "''", "0o17"]
NO_TEXTS = ["12", "1e-3", ".inf", "true", "0x10", "null", "~", "", "[a]", "{a: b}"]

TAB = "a tab; use spaces"
ALIAS = "write the value out"
ANCHOR = "anchors and aliases are not read"
BILLION_LAUGHS = "a: &a [z, z, z]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
WHOLE_FILES = {
    "empty": (b"", "1:1: the file is empty"),
    "only a comment": (b"# nothing\n", "1:1: the file is empty"),
    "a list": (b"- a\n", "1:1: a list where a mapping is expected"),
    "a text": (b"about", "1:1: the text about where a mapping is expected"),
    "a flow mapping without spaces": (b"{a:1}\n", "1:2: a:1: unknown key"),
    "two documents": (b"a: 1\n---\nb: 1\n", "2:1: a second document"),
    "a key twice": (b"about: x\nabout: y\n", "2:1: the key about stands here again, first in line 1"),
    "keys that are one key in Python": (b"1: a\n1.0: b\ntrue: c\n", "2:1: 1.0: unknown key"),
    "a merge key": (b"<<: {about: x}\n", "1:1: <<: unknown key"),
    "a list as key": (b"? [a]\n: b\n", "1:3: a key must be a name"),
    "an anchor that nobody uses": (b"about: &a x\n", f"1:8: the anchor &a; {ANCHOR}"),
    "an anchor at a key": (b"&a about: x\n", f"1:1: the anchor &a; {ANCHOR}"),
    "an alias": (b"about: &a x\nsource: *a\n", f"2:9: the alias *a; {ALIAS}"),
    "an alias of nothing": (b"about: *a\n", f"1:8: the alias *a; {ALIAS}"),
    "an alias as key": (b"a: &a b\n*a : c\n", f"2:1: the alias *a; {ALIAS}"),
    "a list that holds itself": (b"inputs: &a [*a]\n", f"1:13: the alias *a; {ALIAS}"),
    "a billion laughs": (BILLION_LAUGHS.encode(), f"2:8: the alias *a; {ALIAS}"),
    "a tag": (b"about: !!int 1.0\n", "1:8: the tag tag:yaml.org,2002:int; values have no tags here"),
    "a local tag": (b"about: !x y\n", "1:8: the tag !x; values have no tags here"),
    "the tag that says nothing": (b"about: ! y\n", "1:8: the tag !; values have no tags here"),
    "a tab to indent": (b"inputs:\n\tx: 1\n", f"2:1: {TAB}"),
    "a tab at the end of a line": (b"about: x\t\n", f"1:9: {TAB}"),
    "a tab before a comment": (b"about: x\t# why\n", f"1:9: {TAB}"),
    "a tab in a flow list": (b"clauses: [a,\tb]\n", f"1:13: {TAB}"),
    "a tab in quotes": (b'about: "a\tb"\n', f"1:10: {TAB}"),
    "a directive": (b"%YAML 1.2\n---\nabout: x\n", "1:1: a line that begins with %"),
    "an unknown directive": (b"%FOO\n---\nabout: x\n", "1:1: a line that begins with %"),
    "a byte order mark": (b"\xef\xbb\xbfabout: x\n", "1:1: a byte order mark"),
    "a byte order mark inside": ("a: x\ufeff\n".encode(), "1:5: a byte order mark"),
    "UTF-16": ("about: x\n".encode("utf-16"), "1:1: the byte 0xff is not UTF-8"),
    "latin-1": ("about: é\n".encode("latin-1"), "1:8: the byte 0xe9 is not UTF-8"),
    "a surrogate": (b"a: b\nabout: \xed\xa0\x80\n", "2:8: the byte 0xed is not UTF-8"),
    "an escaped surrogate": (b'about: "\\ud800"\n', "1:11: not YAML"),
    "NUL": (b"about: \0\n", "1:8: the character U+0000"),
    "a bell": (b"about: \x07\n", "1:8: the character U+0007"),
    "DEL": (b"about: \x7f\n", "1:8: the character U+007F"),
    "NEL, a line break to YAML 1.1": ("about: x\x85y: z\n".encode(), "1:9: the character U+0085"),
    "a line separator": ("about: x\u2028y: z\n".encode(), "1:9: the character U+2028"),
    "a lone carriage return": (b"about: x\ry: z\n", "1:9: the character U+000D"),
    "a bracket that stays open": (b"inputs: [1\n", "2:1: not YAML"),
    "text with a colon": (b"about: so: it is\n", "1:10: not YAML: mapping values are not allowed"),
    "levels": (b"a: " + b"[" * 40 + b"]" * 40, f"1:{3 + DEPTH}: more than {DEPTH} levels deep"),
}


@pytest.mark.clause("fixture_format.9", "fixture_format.10", "fixture_format.11", "fixture_format.12")
@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_read_by_yaml_1_2_with_all_its_bits(text: str, tmp_path: Path) -> None:
    value = fixture_of(EXPONENTIAL | {"inputs": f"\n  x: {text}"}, tmp_path).request.inputs["x"]
    assert struct.pack(">d", value) == struct.pack(">d", NUMBERS[text])


@pytest.mark.clause("fixture_format.10", "fixture_format.14", "fixture_format.15")
@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_a_fault_at_its_place(text: str, tmp_path: Path) -> None:
    faults = faults_of(EXPONENTIAL | {"inputs": f"\n  x: {text}"}, tmp_path)
    assert faults
    for fault in faults:
        assert fault.startswith("7:")
        assert NO_NUMBERS[text] in fault


@pytest.mark.clause("fixture_format.13")
@pytest.mark.parametrize("text", INTEGERS)
def test_an_integer_has_64_bits(text: str, tmp_path: Path) -> None:
    fixture = fixture_of(SPLITMIX64 | {"inputs": f"{{seed: {text}, count: 1}}"}, tmp_path)
    assert fixture.request.inputs["seed"] == INTEGERS[text]
    assert type(fixture.request.inputs["seed"]) is int


@pytest.mark.clause("fixture_format.13")
@pytest.mark.parametrize("text", NO_INTEGERS)
def test_what_is_no_integer_is_a_fault(text: str, tmp_path: Path) -> None:
    (fault,) = faults_of(SPLITMIX64 | {"inputs": f"\n  count: 1\n  seed: {text}"}, tmp_path)
    assert fault.startswith("8:")


@pytest.mark.clause("fixture_format.9")
@pytest.mark.parametrize("text", TEXTS)
def test_what_yaml_1_1_takes_for_something_else_is_text(text: str, tmp_path: Path) -> None:
    fixture = fixture_of(NAMES | {"inputs": f"{{names: [{text}]}}"}, tmp_path)
    assert fixture.request.inputs["names"] == (text.strip("'\""),)


@pytest.mark.clause("fixture_format.14")
@pytest.mark.parametrize("text", NO_TEXTS)
def test_text_that_reads_as_something_else_needs_quotes(text: str, tmp_path: Path) -> None:
    (fault,) = faults_of(NAMES | {"inputs": f"\n  names:\n  - {text}"}, tmp_path)
    assert fault.startswith("8:")


@pytest.mark.clause("fixture_format.2", "fixture_format.3", "fixture_format.4", "fixture_format.5")
@pytest.mark.parametrize("trap", WHOLE_FILES)
def test_a_trap_is_a_fault_at_its_place(trap: str, tmp_path: Path) -> None:
    data, expected = WHOLE_FILES[trap]
    faults = faults_of(data, tmp_path)
    assert any(fault.startswith(expected) for fault in faults), faults


@pytest.mark.clause("fixture_format.8")
@pytest.mark.parametrize("trap", [*WHOLE_FILES, *NUMBERS, *NO_NUMBERS, *TEXTS, *NO_TEXTS])
def test_both_parsers_of_pyyaml_read_the_traps_alike(trap: str) -> None:
    data = WHOLE_FILES[trap][0] if trap in WHOLE_FILES else f"a:\n- {trap}\n".encode()
    tree, faults = read_tree(data, Path("trap"))
    other, other_faults = read_tree(data, Path("trap"), pure=True)
    assert other == tree
    if tree is None:  # their words for what is no YAML differ, and a little of where it shows
        assert bool(faults) == bool(other_faults)
    else:
        assert other_faults == faults
        assert disagreement(data, Path("trap"), tree) == []


@pytest.mark.clause("fixture_format.8")
@pytest.mark.parametrize("question", ["Which keys?", "Why? Say it", "a?b", "?x", "so:it", "x:"])
def test_text_that_the_parsers_read_differently_is_to_be_quoted(question: str, tmp_path: Path) -> None:
    def with_question(text: str) -> dict[str, str]:
        return EXPONENTIAL | {"questions": f"[{{ask: {text}, answer: {{text: Just so.}}}}]"}

    data = text_of(with_question(question)).encode()
    trees = [read_tree(data, Path("x"), pure)[0] for pure in (False, True)]
    faults = faults_of(with_question(question), tmp_path)
    if trees[0] != trees[1]:
        assert faults
    assert faults_of(with_question(f'"{question}"'), tmp_path) == []


@pytest.mark.clause("fixture_format.8")
def test_without_libyaml_the_other_parser_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_libyaml = fixture_of(HEAD, tmp_path)
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    monkeypatch.delattr("yaml.CLoader")
    without = fixture_of(HEAD, tmp_path)
    assert np.array_equal(without.request.inputs["key"], with_libyaml.request.inputs["key"])


@pytest.mark.clause("fixture_format.2")
def test_a_file_of_more_than_a_mebibyte_is_refused(tmp_path: Path) -> None:
    (fault,) = faults_of("#" * (LARGEST + 1), tmp_path)
    assert "of 1048576 at most" in fault


@pytest.mark.clause("fixture_format.2")
def test_windows_line_ends_read_as_others_do(tmp_path: Path) -> None:
    assert faults_of(text_of(EXPONENTIAL).replace("\n", "\r\n"), tmp_path) == []


@pytest.mark.clause("fixture_format.3")
@pytest.mark.parametrize("bracket", ["[", "{a: ", "- ", "? "])
@pytest.mark.parametrize("pure", [False, True])
def test_a_hundred_thousand_levels_are_refused_in_no_time(bracket: str, pure: bool) -> None:
    data = bracket.encode() * 100_000
    start = time.perf_counter()
    tree, faults = read_tree(data, Path("deep"), pure)
    assert time.perf_counter() - start < 2.0  # a list of events takes twenty seconds, recursion the whole process
    assert tree is None
    assert "levels deep" in faults[0].message


@pytest.mark.clause("fixture_format.7")
def test_of_thousands_of_faults_the_first_hundred_are_told(tmp_path: Path) -> None:
    faults = faults_of(EXPONENTIAL | {"inputs": f"{{x: [{'x, ' * 3000}]}}"}, tmp_path)
    assert len(faults) == MOST + 1
    assert faults[-1].endswith("and 2900 more")


WHOLE = text_of(HEAD | {"laws": "[{row_sums: {of: [probabilities], within: 1.0e-12}}]"}).encode()
PIECES = [
    b"&a ",
    b"*a",
    b"!!int ",
    b"[",
    b"]",
    b"{",
    b"}",
    b": ",
    b"- ",
    b"? ",
    b"\t",
    b"\n",
    b"\r",
    b"'",
    b'"',
    b"|",
    b"#",
]
PIECES += [
    b"1e999",
    b".nan",
    b"\xff",
    b"\xef\xbb\xbf",
    b"%",
    b"---",
    b"...",
    b"<<: ",
    b"\x85",
    b"0x",
    b"shape: ",
    b"\\ud800",
]


def is_read_or_refused(data: bytes, folder: Path) -> None:
    lines = data.count(b"\n") + 2  # the end of the file is a place too
    try:
        fixture_of(data, folder)
        found: tuple[Fault, ...] = ()
    except FixtureFaults as faults:
        found = faults.faults
    assert all(1 <= fault.line <= lines and fault.column >= 1 for fault in found)
    assert len(faults_of(data, folder)) >= len(found)


@pytest.mark.clause("fixture_format.7")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join))
def test_any_bytes_are_a_fixture_or_faults(tmp_path: Path, data: bytes) -> None:
    is_read_or_refused(data, tmp_path)


@pytest.mark.clause("fixture_format.7")
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 9), st.sampled_from([b"", *PIECES])), max_size=3))
def test_a_damaged_fixture_is_a_fixture_or_faults(tmp_path: Path, cuts: list[tuple[int, int, bytes]]) -> None:
    data = WHOLE
    for at, length, piece in cuts:
        data = data[:at] + piece + data[at + length :]
    is_read_or_refused(data, tmp_path)


def test_arrays_cannot_be_written_to(tmp_path: Path) -> None:
    query = fixture_of(HEAD, tmp_path).request.inputs["query"]
    assert isinstance(query, np.ndarray)
    with pytest.raises(ValueError, match="read-only"):
        query[0, 0, 0] = 1.0
