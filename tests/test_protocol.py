"""The messages of the protocol: real ones have the published form, and what has not is refused in plain words."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from attnspec.cli import main
from attnspec.conformance import protocol
from attnspec.conformance.json_lines import ProtocolFault, write
from attnspec.conformance.line_process import LineProcess
from attnspec.conformance.protocol import (
    LONGEST,
    declaration_line,
    longest_reply,
    only_wanted,
    read_declaration,
    read_reply,
    read_request,
    reply_line,
    run_line,
    start_line,
    stop_line,
)
from attnspec.conformance.target import LAYOUTS, Declaration, TargetFault
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.request import Answered, Errored, Refused, Reply, Request, Skipped
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.numeric.formats import FORMATS
from attnspec.targets.reference import Reference
from attnspec.targets.serve import answer_line
from corpus_cases import CORPUS, ROOT, fixtures

SCHEMA = json.loads((ROOT / "spec" / "schema" / "protocol.schema.json").read_text(encoding="utf-8"))
SERVE = [sys.executable, "-m", "attnspec.targets.serve"]
THREE_TOKENS = CORPUS.read("causal_attention/three_tokens").request
ONE = {"dtype": "float64", "shape": [1], "bits": ["3ff0000000000000"]}

BAD_TARGET = """

def exponential(x): return x.no_such_attribute
"""


@cache
def form_of(message: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{message}", "$defs": SCHEMA["$defs"]})


def fits(message: str, value: Any) -> bool:
    return bool(form_of(message).is_valid(value))


def sample() -> Iterator[Fixture]:
    """Two small accepted and two rejected cases of every operation."""
    for name in OPERATIONS:
        of_it = [one for one in fixtures() if one.operation.name == name and len(run_line(1, one.request)) < 5000]
        yield from [one for one in of_it if one.rejects is None][:2]
        yield from [one for one in of_it if one.rejects is not None][:2]
    yield CORPUS.read("causal_attention/rejected/released_key")


def conversation(target: str, requests: list[Request]) -> tuple[dict[str, Any], list[tuple[Any, Any]]]:
    """Return the declaration of a served target, and each run with its reply, as they came over the pipe."""
    process = LineProcess([*SERVE, target])
    hello = process.exchange(start_line(), 60.0, LONGEST)
    runs = []
    for number, request in enumerate(requests, start=1):
        line = run_line(number, request)
        runs.append((json.loads(line), json.loads(process.exchange(line, 60.0, LONGEST))))
    process.end(stop_line())
    return json.loads(hello), runs


@pytest.mark.clause("conformance.40")
def test_every_message_of_real_runs_has_the_published_form(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_TARGET)
    (tmp_path / "none.py").write_text("x = 1")
    declaration, runs = conversation("reference", [fixture.request for fixture in sample()])
    hello, broken = conversation(
        str(tmp_path / "bad.py"), [CORPUS.read("exponential/around_one").request, Request("causal_mask", {"tokens": 3})]
    )
    for message in (declaration, hello):
        form_of("declaration").validate(message)
    kinds = set()
    for run, reply in runs + broken:
        form_of("run").validate(run)
        form_of("reply").validate(reply)
        kinds |= {kind for kind in ("outputs", "rejected", "skipped", "errored") if kind in reply}
    assert kinds == {"outputs", "rejected", "skipped", "errored"}
    form_of("start").validate(json.loads(start_line()))
    form_of("stop").validate(json.loads(stop_line()))
    none = LineProcess([*SERVE, str(tmp_path / "none.py")])
    form_of("fault").validate(json.loads(none.exchange(start_line(), 60.0, LONGEST)))
    none.kill()


def test_the_form_names_what_the_code_knows() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    forms = SCHEMA["$defs"]
    assert forms["operation"]["enum"] == list(OPERATIONS)
    assert forms["float_type"]["enum"] == list(FORMATS)
    declared = forms["declaration"]["properties"]
    assert declared.keys() == {"format", *(one.name for one in fields(Declaration))}
    assert declared["layout"]["enum"] == list(LAYOUTS)
    undescribed = [
        name for form in forms.values() for name, of in form.get("properties", {}).items() if not words_of(of, forms)
    ]
    assert set(undescribed) <= {"cmd", "text", "outputs", "gradients"}


def words_of(form: dict[str, Any], forms: dict[str, Any]) -> str:
    named = forms.get(form.get("$ref", "").removeprefix("#/$defs/"), {})
    return str(form.get("description") or named.get("description", ""))


class Idle:
    """A target that does nothing, whatever it is asked."""

    declaration = Declaration("idle")

    def answer(self, request: Request) -> Reply:
        return Answered({})


def accepts(message: str, value: Any) -> bool:
    """Whether the code reads a message without a fault."""
    line = json.dumps(value).encode()
    try:
        match message:
            case "declaration":
                read_declaration(line)
            case "run":
                return "fault" not in json.loads(answer_line(Idle(), line) or '{"fault": "stop"}')
            case _:
                read_reply(line, 5, "exponential")
    except (ProtocolFault, TargetFault):
        return False
    return True


WHOLE: dict[str, list[dict[str, Any]]] = {
    "declaration": [json.loads(declaration_line(Declaration("whole", accumulates="float64")))],
    "run": [
        json.loads(
            run_line(5, Request("matrix_product", {"left": np.ones((1, 2)), "right": np.ones((2, 1))}, {}, ("left",)))
        ),
        json.loads(run_line(5, Request("parameter_names", {"names": ("a", "b")}))),
        json.loads(run_line(5, CORPUS.read("linear_projection/rejected/input_width").request)),
    ],
    "reply": [
        {"id": 5, "outputs": {"y": ONE}, "gradients": {}, "no_gradients": "", "faults": ["wrote into x"]},
        {"id": 5, "rejected": "rank", "details": {"rank": 2}, "message": "no"},
        {"id": 5, "skipped": "not today"},
        {"id": 5, "errored": "out of coffee"},
    ],
}
OTHERS: list[Any] = [None, 5, -1, 2.5, True, "x", "7", [], ["x"], [5], {}, {"x": 5}, {"text": 5}, {"text": "x"}]


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*path, key))


def changed(whole: dict[str, Any], path: tuple[Any, ...], *other: Any) -> dict[str, Any]:
    """Return a message with another value at a path, or without it."""
    copy = deepcopy(whole)
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    if other:
        inner[path[-1]] = other[0]
    else:
        del inner[path[-1]]
    return copy


@pytest.mark.clause("conformance.40")
@pytest.mark.parametrize("message", WHOLE)
def test_the_published_form_and_the_code_refuse_the_same_messages(message: str) -> None:
    """Each entry of each message is taken away and replaced by values of every kind."""
    refused = 0
    for whole in WHOLE[message]:
        assert fits(message, whole)
        assert accepts(message, whole)
        for path in paths(whole):
            for other in ([], *([one] for one in OTHERS)):
                mutant = changed(whole, path, *other)
                form, code = fits(message, mutant), accepts(message, mutant)
                is_of_the_case = path[0] in ("id", "operation", "inputs", "upstream", "outputs", "gradients")
                is_of_the_case &= bool(other) or len(path) > 1  # what is required is so in every case
                assert form == code or (form and is_of_the_case), (path, mutant)
                refused += not form
    assert refused > 100


NUMBER = {"id": 5, "outputs": {"y": ONE}}
BROKEN: dict[str, tuple[bytes | dict[str, Any], str]] = {
    "not JSON": (b"working on it\n", "not JSON: 'working on it'"),
    "an empty line": (b"\n", "not JSON: ''"),
    "half an answer": (json.dumps(NUMBER).encode()[:-9], "not JSON"),
    "two answers on one line": (json.dumps(NUMBER).encode() * 2, "not JSON"),
    "no object": (b"[1]\n", "not a JSON object: '[1]'"),
    "no UTF-8": (b'{"id": 5, "errored": "\xff"}', "not UTF-8"),
    "brackets without end": (b"[" * 10**6, "not JSON"),
    "a key twice": (b'{"id": 5, "outputs": {"y": 1, "y": 2}}', "the key 'y' stands twice"),
    "a number that is none": (b'{"id": 5, "rejected": "rank", "details": {"rank": NaN}}', "NaN is no number of JSON"),
    "a fault": ({"fault": "what was that?"}, "what was that?"),
    "no id": ({"outputs": {}}, "id None, expected 5"),
    "another id": ({"id": 4, "outputs": {}}, "id 4, expected 5"),
    "a truth for an id": ({"id": True, "outputs": {}}, "id True, expected 5"),
    "no verdict": ({"id": 5}, "expected one of outputs, rejected, skipped, errored; got none"),
    "two verdicts": ({"id": 5, "outputs": {}, "skipped": ""}, "got outputs, skipped"),
    "outputs that are none": ({"id": 5, "outputs": 5}, "outputs is 5; an object is expected"),
    "a number for a tensor": ({"id": 5, "outputs": {"y": 1.5}}, "outputs.y is no value: 1.5; {dtype, shape, bits}"),
    "a list of numbers": ({"id": 5, "outputs": {"y": [1.5]}}, "outputs.y is no value"),
    "no shape": ({"id": 5, "outputs": {"y": {"dtype": "float64", "bits": []}}}, "outputs.y is no value"),
    "an unknown output": ({"id": 5, "outputs": {"z": ONE}}, "outputs.z: exponential has none; known: y"),
    "an unknown gradient": ({**NUMBER, "gradients": {"x": ONE}}, "gradients.x: exponential has none; known: nothing"),
    "an integer that is none": ({"id": 5, "outputs": {"y": "1_000"}}, "outputs.y is no value: '1_000'"),
    "a code that is none": ({"id": 5, "rejected": 7}, "rejected is 7; a text is expected"),
    "details that are none": ({"id": 5, "rejected": "rank", "details": [3]}, "details is [3]; an object is expected"),
    "a reason that is none": ({"id": 5, "skipped": True}, "skipped is true; a text is expected"),
    "faults that are none": ({**NUMBER, "faults": [5]}, "faults is [5]; a list of texts is expected"),
}


@pytest.mark.clause("conformance.41")
@pytest.mark.parametrize("kind", BROKEN)
def test_a_line_that_is_no_reply_is_told_why(kind: str) -> None:
    line, said = BROKEN[kind]
    with pytest.raises(ProtocolFault) as caught:
        read_reply(line if isinstance(line, bytes) else json.dumps(line).encode(), 5, "exponential")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.clause("conformance.41")
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"bits": ["3ff"]}, "row 0 of bits has 3 characters; 16 are expected"),
        ({"bits": ["3ff000000000000"]}, "row 0 of bits has 15 characters"),
        ({"bits": ["3FF0000000000000"]}, "hexadecimal digits in lower case"),
        ({"bits": ["3ff000000000000g"]}, "hexadecimal digits in lower case"),
        ({"bits": ["3ff0 00000000000"]}, "groups of 16 hexadecimal digits"),
        ({"bits": ["3ff0\t00000000000"]}, "groups of 16 hexadecimal digits"),
        ({"bits": []}, "0 rows of bits; shape [1] has 1"),
        ({"bits": ["3ff0000000000000"] * 2}, "2 rows of bits; shape [1] has 1"),
        ({"bits": [4607182418800017408]}, "bits [4607182418800017408]; a list of strings is expected"),
        ({"bits": 4607182418800017408}, "a list of strings is expected"),
        ({"bits": "3ff0000000000000"}, "a list of strings is expected"),
        ({"shape": [2]}, "16 characters; 33 are expected, 2 x 16 digits"),
        ({"shape": [-1]}, "shape [-1]; a list of sizes is expected, none negative"),
        ({"shape": [-1, -1]}, "none negative"),
        ({"shape": [True]}, "a list of sizes is expected"),
        ({"shape": 1}, "a list of sizes is expected"),
        ({"shape": [10**9, 10**9, 10**9]}, "1 rows of bits; shape [1000000000, 1000000000, 1000000000] has"),
        ({"shape": [10**9]}, "characters; 16999999999 are expected"),
        ({"dtype": "float32"}, "8 are expected, 1 x 8 digits"),
        ({"dtype": "object"}, "dtype 'object'; known: float64"),
        ({"dtype": ["float64"]}, "dtype ['float64']; known: float64"),
    ],
)
def test_a_tensor_whose_digits_do_not_fit_is_told_why_and_nothing_is_made_of_it(
    entry: dict[str, Any], said: str
) -> None:
    line = json.dumps({"id": 5, "outputs": {"y": ONE | entry}}).encode()
    with pytest.raises(ProtocolFault) as caught:
        read_reply(line, 5, "exponential")
    assert "outputs.y is no value: " in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.clause("conformance.23")
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"format": 2}, "format 2, this attnspec speaks 1"),
        ({"format": True}, "format True"),
        ({"name": 5}, "name is 5; a text is expected"),
        ({"operations": "causal_attention"}, 'operations is "causal_attention"; a list of texts is expected'),
        ({"operations": [5]}, "operations is [5]; a list of texts is expected"),
        ({"operations": ["flash"]}, "operations holds 'flash'; known: exponential"),
        ({"dtypes": "float32"}, 'dtypes is "float32"; a list of texts is expected'),
        ({"dtypes": ["half"]}, "dtypes holds 'half'; known: float64"),
        ({"accumulates": None}, "accumulates is null; a text is expected"),
        ({"accumulates": "f4"}, "accumulates 'f4'"),
        ({"exp_ulps": "2"}, 'exp_ulps is "2"; a number is expected'),
        ({"exp_ulps": True}, "exp_ulps is true; a number is expected"),
        ({"exp_ulps": 0}, "exp_ulps is 0; 0.5 to 1024 is expected"),
        ({"layout": "TBD"}, "layout 'TBD'; known: BTD"),
        ({"has_tape": "no"}, 'has_tape is "no"; true or false is expected'),
    ],
)
def test_a_malformed_declaration_is_told_why(entry: dict[str, Any], said: str) -> None:
    line = json.dumps({"format": 1, "name": "odd"} | entry)
    assert not fits("declaration", json.loads(line))
    with pytest.raises((ProtocolFault, TargetFault)) as caught:
        read_declaration(line.encode())
    assert said in str(caught.value)


@pytest.mark.clause("conformance.40")
def test_unknown_fields_are_ignored_in_both_directions() -> None:
    more = {"invented": {"later": [1, 2]}}
    run = json.loads(run_line(5, THREE_TOKENS)) | more
    assert fits("run", run)
    assert read_request(run).operation == "causal_attention"
    assert isinstance(read_reply(write(NUMBER | more), 5, "exponential"), Answered)
    assert read_declaration(write({"format": 1, "name": "newer"} | more)) == Declaration("newer")


@pytest.mark.clause("conformance.42")
def test_only_what_is_wanted_is_sent_back_and_more_does_no_harm() -> None:
    run = json.loads(run_line(5, THREE_TOKENS))
    whole = Reference().answer(THREE_TOKENS)
    assert isinstance(whole, Answered)
    assert only_wanted(whole, run) == whole
    assert only_wanted(whole, {"cmd": "run"}) == whole
    less = only_wanted(whole, run | {"wants": {"outputs": ["output"], "gradients": []}})
    assert isinstance(less, Answered)
    assert (list(less.outputs), list(less.gradients)) == (["output"], [])
    sent = json.loads(answer_line(Reference(), write(run | {"wants": {"outputs": ["output"], "gradients": ["key"]}})))
    assert (list(sent["outputs"]), list(sent["gradients"])) == (["output"], ["key"])
    read_back = read_reply(reply_line(5, whole), 5, "causal_attention")
    assert isinstance(read_back, Answered)
    assert (read_back.outputs.keys(), read_back.gradients.keys()) == (whole.outputs.keys(), whole.gradients.keys())


@pytest.mark.clause("conformance.21")
@pytest.mark.parametrize(
    "reply",
    [
        Refused(None, {}, "no code"),
        Refused("rank", {"rank": np.int64(3), "value": float("-inf"), "cause": {"index": (0, 1), "nan": float("inf")}}),
        Skipped("why\nnot"),
        Errored("\ud800 is no character"),
        Answered({}, no_gradients="no vjp", faults=("wrote into x",)),
    ],
)
def test_every_kind_of_reply_survives_the_way_to_text_and_back(reply: Reply) -> None:
    back = read_reply(reply_line(5, reply), 5, "exponential")
    if isinstance(reply, Refused) and reply.details:
        assert isinstance(back, Refused)
        cause = {"index": [0, 1], "nan": float("inf")}
        assert back.details == {"rank": 3, "value": float("-inf"), "cause": cause}
    else:
        assert back == reply


@pytest.mark.clause("conformance.21")
@pytest.mark.parametrize("dtype", [*FORMATS, "uint64"])
def test_tensors_of_every_type_and_shape_survive_in_every_bit(dtype: str) -> None:
    form = np.dtype(np.uint64) if dtype == "uint64" else FORMATS[dtype].dtype
    for shape in ((), (0,), (3, 0), (1,), (5, 7), (2, 1, 3)):
        count = int(np.prod(shape)) * form.itemsize
        array = np.random.default_rng(7).integers(0, 256, count, dtype=np.uint8).view(form).reshape(shape)
        back = read_reply(write({"id": 5, "outputs": {"y": array}}), 5, "exponential")
        assert isinstance(back, Answered)
        there = np.asarray(back.outputs["y"])
        assert (there.dtype, there.shape, there.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_a_reply_may_be_as_long_as_what_is_wanted() -> None:
    for fixture in fixtures():
        if fixture.rejects is None:
            assert longest_reply(fixture.request) < 2 * LONGEST or fixture.profile == "large"
    large = CORPUS.read("causal_softmax/tokens_512")
    assert longest_reply(large.request) - LONGEST > len(reply_line(1, Reference().answer(large.request)))


def test_the_exchange_on_the_page_is_that_of_the_template() -> None:
    page = (ROOT / "spec" / "conformance.md").read_text(encoding="utf-8")
    shown = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)]
    request = CORPUS.read("causal_attention/two_batches_with_equal_keys").request
    declaration, [(run, reply)] = conversation("attnspec.targets.template", [request])
    assert shown == [json.loads(start_line()), declaration, run, reply, json.loads(stop_line())]
    others = re.findall(r"^    (\{\"id\": [234].*\})$", page, re.MULTILINE)
    assert len(others) == 3
    for other in others:
        form_of("reply").validate(json.loads(other))


def test_the_small_target_on_the_page_passes(tmp_path: Path) -> None:
    page = (ROOT / "spec" / "conformance.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^    import numpy as np\n(?:    .*\n|\n)+", page, re.MULTILINE)
    (tmp_path / "small.py").write_text(textwrap.dedent(lines))
    assert main(["check", str(tmp_path / "small.py"), "--in-process", "-k", "matrix_product"]) == 0


def test_the_page_s_table_of_what_is_declared_is_the_code_s() -> None:
    page = (ROOT / "spec" / "conformance.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| [^|]+ \| ([^|]+) \| [^|]+ \| [^|]+ \|$", page, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(one.name for one in fields(Declaration))


ANSWERS: list[tuple[bytes, str]] = [
    (b"hello\n", "not JSON"),
    (b'{"id": 1}\n', "cmd is missing"),
    (b'{"cmd": "dance"}\n', "cmd 'dance'; start, run or stop is expected"),
    (b'{"cmd": "run", "operation": "causal_mask", "inputs": {}}\n', "id is missing"),
    (b'{"cmd": "run", "id": 1.5, "operation": "causal_mask", "inputs": {}}\n', "id is 1.5; an integer is expected"),
    (b'{"cmd": "run", "id": 1, "operation": "flash", "inputs": {}}\n', "operation 'flash'; known"),
    (b'{"cmd": "run", "id": 1, "operation": "causal_mask", "inputs": {"tokens": 3}}\n', "inputs.tokens is no value: 3"),
]


def test_a_served_target_answers_a_line_that_is_no_message_with_a_fault() -> None:
    process = LineProcess([*SERVE, "reference"])
    for line, said in ANSWERS:
        fault = json.loads(process.exchange(line, 60.0, LONGEST))
        assert fits("fault", fault)
        assert said in fault["fault"]
    process.end(stop_line())


@pytest.mark.clause("conformance.22")
def test_an_answer_that_is_too_large_to_be_sent_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_ELEMENTS", 5)
    small, large = (Answered({"y": np.zeros(size)}) for size in (5, 6))
    assert isinstance(read_reply(reply_line(1, small), 1, "exponential"), Answered)
    assert read_reply(reply_line(1, large), 1, "exponential") == Errored("answered with 6 elements, of 5 at most")
