"""The fixture format: what is read, what is refused, where the fault is shown and what it says."""

from __future__ import annotations

import json
import pickle
import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fixture_texts
from attnspec.conformance import profiles
from attnspec.corpus import schema
from attnspec.corpus.expectations import compare_expectation
from attnspec.corpus.fixture import (
    BatchIsolation,
    GradientCheck,
    Isolation,
    Law,
    Perturbation,
    PrefixExtension,
    RowSums,
    SameAs,
    ZeroGradient,
    law_parts,
)
from attnspec.corpus.lint import lint_file
from attnspec.numeric.splitmix64 import units
from fixture_texts import BARE, CLAUSES, EXPONENTIAL, HEAD, NAMES, REFUSED, SPLITMIX64, faults_of, fixture_of, text_of

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
SIX_FAULTS = DATA / "six_faults.yaml"
SIX = [
    "2:1: the key about stands here again, first in line 1",
    "8:10: the anchor &unused; anchors and aliases are not read",
    "10:10: inputs.value: shape [1, 2, 2]: T is 2 here and 3 in inputs.query",
    "14:32: expect.raw_scores[0][1][1]: 1e999 overflows: the largest number is 1.7976931348623157e+308",
    "16:47: expect.gradients.query.values[0][1]: ragged: 1 entries here, 2 in the first list of this depth",
    "17:1: lawz: unknown key; laws is meant?",
]
FAULTS = [
    block.split("\n")[-3:] for block in (DATA / "faults.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
]


@pytest.mark.clause("fixture_format.6", "fixture_format.7")
def test_six_faults_of_one_file_are_told_at_once_each_at_its_place() -> None:
    faults = lint_file(SIX_FAULTS, ROOT / "fixtures", CLAUSES)
    assert [str(fault) for fault in faults] == [f"{SIX_FAULTS}:{fault}" for fault in SIX]


@pytest.mark.clause("fixture_format.7")
def test_mending_two_of_six_faults_leaves_the_other_four(tmp_path: Path) -> None:
    mended = SIX_FAULTS.read_text(encoding="utf-8").replace("&unused ", "").replace("lawz: []\n", "")
    assert faults_of(mended, tmp_path) == [SIX[0], *SIX[2:5]]


@pytest.mark.clause(
    "fixture_format.6",
    "fixture_format.16",
    "fixture_format.17",
    "fixture_format.18",
    "fixture_format.19",
    "fixture_format.20",
    "fixture_format.21",
    "fixture_format.22",
    "fixture_format.23",
    "fixture_format.25",
    "fixture_format.26",
    "fixture_format.27",
    "fixture_format.28",
    "fixture_format.29",
    "fixture_format.30",
    "fixture_format.31",
    "fixture_format.32",
    "fixture_format.33",
    "fixture_format.34",
    "fixture_format.35",
    "fixture_format.36",
    "fixture_format.37",
    "fixture_format.38",
    "fixture_format.39",
)
@pytest.mark.parametrize(("head", "entry", "message"), FAULTS, ids=[message for _, _, message in FAULTS])
def test_a_fault_is_told_at_its_place(head: str, entry: str, message: str, tmp_path: Path) -> None:
    base: dict[str, str] = getattr(fixture_texts, head.split()[1])
    assert faults_of(base, tmp_path) == []
    key, _, text = entry.replace("^", "").partition(": ")
    entries = base | {key: text}
    line = list(entries).index(key) + 1
    place = f"{line}:{entry.index('^') + 1}" if "^" in entry else "1:1"
    assert f"{place}: {message}" in faults_of(entries, tmp_path)


@pytest.mark.clause("fixture_format.7")
def test_a_fault_hides_none_of_what_holds_it_nor_of_its_neighbours(tmp_path: Path) -> None:
    entries = HEAD | {
        "profile": '"a\\nb"',
        "expect": "{mask: {parts: [{at: [0], within: -1, values: [0, 1]}], within: 3}}",
        "laws": "[{row_sums: {of: probabilities, within: -1}}, "
        "{same_as: {case: attention/no, of: output, at: [], within: 0}}]",
        "questions": "[{ask: Q, answer: {text: x, visible: {row: -1, keys: [0]}, law: row_sums}}]",
    }
    assert [fault.split(": ", 1)[1] for fault in faults_of(entries, tmp_path)] == [
        "profile: a b is no profile; known: core, isolation, strict, finite, init, large",
        "expect.mask: write the value alone, {within, values}, {ulps, values}, {parts} or {shape}",
        "expect.mask.parts[0].within: -1.0 is no distance; a finite number from 0 on is expected",
        "laws[0].row_sums.within: -1.0 is no distance; a finite number from 0 on is expected",
        "laws[1].same_as.case: there is no case attention/no",
        "questions[0].answer: at most one of visible, shapes, values, law stands beside text",
        "questions[0].answer.visible.row: -1 is no index or size; they go from 0 to 2147483647",
    ]


@pytest.mark.clause("fixture_format.7")
def test_every_wrong_number_of_a_refusal_is_told(tmp_path: Path) -> None:
    rejects = "{error: shape_mismatch, details: {expected: [1, a, b], actual: [2]}}"
    faults = faults_of(REFUSED | {"rejects": rejects}, tmp_path)
    assert [fault.split(": ")[1] for fault in faults] == ["rejects.details.expected[1]", "rejects.details.expected[2]"]


@pytest.mark.clause("fixture_format.7")
def test_a_fault_that_repeats_the_file_is_a_line_of_some_length(tmp_path: Path) -> None:
    faults = faults_of(HEAD | {"operation": f'"{"long " * 4000}\\u2028"'}, tmp_path)
    assert len(faults) == 1
    assert len(faults[0].splitlines()) == 1
    assert len(faults[0]) < 1000


def test_a_list_whose_only_entry_is_faulty_is_not_called_empty(tmp_path: Path) -> None:
    faults = faults_of(HEAD | {"clauses": "[mask]"}, tmp_path)
    assert [fault.split(": ", 1)[1] for fault in faults] == [
        "clauses[0]: mask is no clause; one looks like causal_mask.2"
    ]


@pytest.mark.clause("fixture_format.19")
@pytest.mark.parametrize("entry", ["about", "operation", "profile", "clauses", "source", "inputs"])
def test_an_entry_that_every_fixture_has_is_missed(entry: str, tmp_path: Path) -> None:
    assert faults_of({key: text for key, text in HEAD.items() if key != entry}, tmp_path) == [f"1:1: {entry}: missing"]


@pytest.mark.clause("fixture_format.7")
@pytest.mark.parametrize("entry", [*HEAD, "rejects", "laws", "questions", "given"])
@pytest.mark.parametrize("text", ["{a: b}", "[[1]]", "~", "*a", "!x y", "1e999"])
def test_setting_one_entry_aside_brings_no_fault_elsewhere(entry: str, text: str, tmp_path: Path) -> None:
    entries = HEAD | {"questions": "[{ask: Q, answer: {text: x, law: row_sums}}]"}
    entries |= {"laws": "[{row_sums: {of: probabilities, within: 1}}]"} | {entry: text}
    line = list(entries).index(entry) + 1
    faults = faults_of(entries, tmp_path)
    elsewhere = [fault for fault in faults if not fault.startswith(f"{line}:")]
    assert faults
    assert len(elsewhere) == (3 if entry == "rejects" else 0)  # a refused case has no expect, laws or shown answer


@pytest.mark.clause("fixture_format.1")
@pytest.mark.parametrize(
    ("place", "entries", "fault"),
    [
        ("causal_attention/two.yaml", HEAD, None),
        ("causal_attention/rejected/two.yaml", REFUSED, None),
        ("causal_mask/two.yaml", HEAD, "2:12: operation: the folder is causal_mask"),
        ("causal_attention/two.yaml", REFUSED, "7:10: rejects: refused cases, and only they, stand in the folder"),
        ("causal_attention/rejected/two.yaml", HEAD, "1:1: refused cases, and only they, stand in the folder rejected"),
        ("two.yaml", HEAD, "2:12: operation: the folder is no operation's"),
        ("nothing/two.yaml", HEAD, "2:12: operation: the folder is nothing"),
        ("causal_attention/deep/two.yaml", HEAD, "1:1: the folder is causal_attention/deep"),
        ("causal_attention/deep/rejected/two.yaml", REFUSED, "1:1: the folder is causal_attention/deep/rejected"),
    ],
)
def test_a_fixture_stands_in_the_folder_of_its_operation(
    place: str, entries: dict[str, str], fault: str | None, tmp_path: Path
) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(entries), encoding="utf-8")
    faults = [str(found).removeprefix(f"{path}:") for found in lint_file(path, tmp_path, CLAUSES)]
    assert len(faults) == (fault is not None)
    assert not fault or faults[0].startswith(fault)


@pytest.mark.clause("fixture_format.24")
def test_the_shapes_of_a_refused_case_are_free(tmp_path: Path) -> None:
    inputs = "{query: 1, key: [1, 2], value: [[[[1]]]]}"
    assert faults_of(REFUSED | {"inputs": inputs}, tmp_path) == []
    assert len(faults_of(HEAD | {"inputs": inputs}, tmp_path)) >= 3


@pytest.mark.clause("fixture_format.28")
def test_details_are_read_by_the_fields_of_the_error(tmp_path: Path) -> None:
    rejects = "{error: branch, details: {branch: key, cause: {error: weight_rank, details: {rank: 3}}}}"
    refusal = fixture_of(REFUSED | {"rejects": rejects}, tmp_path).rejects
    assert refusal is not None
    assert refusal.error == "branch"
    assert refusal.details == {"branch": "key", "cause": {"error": "weight_rank", "details": {"rank": 3}}}
    rejects = "{error: non_finite_leaf, details: {tensor: key, index: 3, value: -.inf}}"
    refusal = fixture_of(REFUSED | {"rejects": rejects}, tmp_path).rejects
    assert refusal is not None
    assert refusal.details["value"] == -np.inf
    for fields in ("{query: 1, key: 2}", "{query: 1, key: 2, value: 3}"):  # a value that may be None
        assert faults_of(REFUSED | {"rejects": f"{{error: batch_mismatch, details: {fields}}}"}, tmp_path) == []


@pytest.mark.clause("fixture_format.15", "fixture_format.16")
@pytest.mark.parametrize(
    ("text", "shape"), [("1", ()), ("[1]", (1,)), ("[[1, 2, 3]]", (1, 3)), ("{shape: [2, 0]}", (2, 0))]
)
def test_a_tensor_has_the_shape_of_its_lists(text: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    expect = f"{{y: {{shape: {list(shape)}}}}}"
    array = fixture_of(EXPONENTIAL | {"inputs": f"{{x: {text}}}", "expect": expect}, tmp_path).request.inputs["x"]
    assert isinstance(array, np.ndarray)
    assert array.shape == shape
    assert array.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 1.0


@pytest.mark.clause("fixture_format.17")
def test_a_tensor_by_formula_is_three_operations_on_each_unit_value(tmp_path: Path) -> None:
    formula = "{splitmix64: {seed: 7, shape: [2, 3], low: -1.5, high: 0.1}, scatter: [{at: [1, 0], value: .inf}]}"
    entries = EXPONENTIAL | {"inputs": f"{{x: {formula}}}", "expect": "{y: {shape: [2, 3]}}"}
    array = fixture_of(entries, tmp_path).request.inputs["x"]
    assert isinstance(array, np.ndarray)
    expected = [-1.5 + (0.1 - -1.5) * float(unit) for unit in units(7, 6)]
    expected[3] = np.inf
    assert array.reshape(-1).tolist() == expected


@pytest.mark.clause("fixture_format.26")
def test_an_expectation_says_how_near(tmp_path: Path) -> None:
    expect = "{raw_scores: [[[0, 6], [6, -4]]], output: {shape: [1, 2, 3]}, scale: {ulps: 2, values: 0.7}, "
    expect += "loss: {within: 1.0e-3, values: 1}, gradients: {key: {shape: [1, 2, 2]}}}"
    found = fixture_of(HEAD | {"expect": expect}, tmp_path).expect
    assert list(found) == ["raw_scores", "output", "scale", "loss", "gradients.key"]
    assert [(one.shape, one.within, one.ulps) for one in found.values()] == [
        (None, None, None),
        ((1, 2, 3), None, None),
        (None, None, 2),
        (None, 1e-3, None),
        ((1, 2, 2), None, None),
    ]
    assert found["output"].values is None


@pytest.mark.clause("fixture_format.26")
def test_an_expectation_may_speak_of_parts_alone(tmp_path: Path) -> None:
    parts = "{parts: [{at: [0, 0], values: [0, 6]}, {at: [0, 1, 1], within: 1, values: -4.5}]}"
    (expectation,) = fixture_of(HEAD | {"expect": f"{{raw_scores: {parts}}}"}, tmp_path).expect.values()

    def faults(*scores: list[float]) -> list[str]:
        return [str(found) for found in compare_expectation("raw_scores", expectation, np.array([scores]))]

    assert faults([0.0, 6.0], [99.0, -4.0]) == []
    assert faults([0.0, 7.0], [99.0, -6.0]) == [
        "raw_scores[0, 0, 1]: expected 6.0, got 7.0, 1,125,899,906,842,624 ulps apart (expectation, exact)",
        "raw_scores[0, 1, 1]: expected -4.5, got -6.0, 1,688,849,860,263,936 ulps apart (expectation, within 1)",
    ]
    assert faults([0.0, 6.0]) == ["raw_scores[0, 1, 1]: expected a value, got nothing (expectation)"]


@pytest.mark.clause("fixture_format.13", "fixture_format.22", "fixture_format.26")
def test_values_are_of_the_kind_that_the_vocabulary_says(tmp_path: Path) -> None:
    words = fixture_of(SPLITMIX64 | {"expect": '{draws: ["0xe220a8397b1dcdaf"], state: 3}'}, tmp_path).expect
    first = fixture_of(
        SPLITMIX64 | {"expect": '{draws: {parts: [{at: [0], values: "0xe220a8397b1dcdaf"}]}}'}, tmp_path
    ).expect
    assert first["draws"].parts is not None
    assert first["draws"].parts[0].values == np.uint64(0xE220A8397B1DCDAF)
    draws = words["draws"].values
    assert isinstance(draws, np.ndarray)
    assert draws.dtype == np.uint64
    assert draws.tolist() == [0xE220A8397B1DCDAF]
    assert words["state"].values == 3
    assert fixture_of(NAMES, tmp_path).request.inputs == {"names": ("a",)}
    check = EXPONENTIAL | {
        "operation": "gradient_check",
        "inputs": "{analytic: [1], numeric: [1], tolerance: 1}",
        "expect": "{scaled_difference: [0], within: true}",
    }
    assert fixture_of(check, tmp_path).expect["within"].values is True


@pytest.mark.clause("fixture_format.7", "fixture_format.17")
def test_all_faults_of_one_formula_are_told_at_once(tmp_path: Path) -> None:
    draws = "{seed: -1, shape: [4097, 4097], low: 0, high: .inf}"
    formula = f"{{splitmix64: {draws}, scatter: [{{at: [0], value: x}}]}}"
    faults = faults_of(EXPONENTIAL | {"inputs": f"{{x: {formula}}}", "expect": "{y: {shape: [2]}}"}, tmp_path)
    assert [fault.split(": ", 1)[1].split(":")[0] for fault in faults] == [
        "inputs.x.splitmix64.seed",
        "inputs.x.splitmix64.shape",
        "inputs.x.splitmix64.high",
        "inputs.x.scatter[0].value",
    ]
    outside = "{seed: 1, shape: [2], low: 0, high: 1}, scatter: [{at: [2], value: 1}, {at: [], value: 1}]"
    faults = faults_of(BARE | {"inputs": f"{{x: {{splitmix64: {outside}}}}}"}, tmp_path)
    assert [fault.split(": ")[1] for fault in faults] == ["inputs.x.scatter[0].at", "inputs.x.scatter[1].at"]


@pytest.mark.clause("fixture_format.49")
@pytest.mark.parametrize(
    ("operation", "inputs", "most", "output"),
    [
        ("splitmix64", "{{seed: 0, count: {}}}", 1 << 24, "draws"),
        ("xavier_uniform", "{{seed: 0, fan_in: {}, fan_out: 4096}}", 1 << 12, "weight"),
        ("causal_mask", "{{tokens: {}}}", 1 << 12, "mask"),
    ],
)
def test_no_output_is_too_large_to_compute(operation: str, inputs: str, most: int, output: str, tmp_path: Path) -> None:
    def told(size: int, **entries: str) -> bool:
        case = BARE | {"operation": operation, "profile": "large", "inputs": inputs.format(size)} | entries
        return any(f"inputs: {output} would have " in fault for fault in faults_of(case, tmp_path))

    assert [told(most), told(most + 1), told(99_999_999_999)] == [False, True, True]
    assert told(most + 1, rejects="{error: mask_memory, details: {tokens: 4097}}") == (output != "mask")


@pytest.mark.clause("fixture_format.16")
def test_a_size_that_no_array_has_is_told_the_limits(tmp_path: Path) -> None:
    (fault,) = faults_of(
        EXPONENTIAL | {"inputs": "{x: {shape: [0, 1000000000000]}}", "expect": "{y: {shape: [0]}}"}, tmp_path
    )
    assert fault.endswith("1000000000000 is no index or size; they go from 0 to 2147483647")


FLOODS: dict[str, Callable[[int], dict[str, str]]] = {
    "laws": lambda size: {"laws": f"[{', '.join(['x'] * size)}]"},
    "malformed clauses": lambda size: {"clauses": f"[{', '.join(['bad'] * size)}]"},
    "unknown clauses": lambda size: {"clauses": f"[{', '.join(f'bad.{number}' for number in range(size // 2))}]"},
    "answers": lambda size: {
        "questions": f"[{', '.join(['{ask: a, answer: {text: x, law: y, shapes: {}, z: 1}}'] * (size // 10))}]"
    },
    "keys": lambda size: {f"k{number}": "1" for number in range(size // 2)},
}


@pytest.mark.clause("fixture_format.7", "fixture_format.47")
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_faults_is_told_by_its_first_hundred(kind: str, tmp_path: Path) -> None:
    assert 1 <= len(faults_of(BARE | FLOODS[kind](3_000), tmp_path)) <= 101


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_faults_does_not_take_minutes(kind: str, tmp_path: Path) -> None:
    start = time.process_time()
    assert 1 <= len(faults_of(BARE | FLOODS[kind](100_000), tmp_path)) <= 101
    assert time.process_time() - start < 20.0  # what is done once per pair of faults takes minutes


@pytest.mark.clause("fixture_format.47")
def test_a_mapping_has_a_thousand_keys_at_most(tmp_path: Path) -> None:
    keys = {f"k{number}": "1" for number in range(994)}
    assert len(BARE | keys) == 1000
    assert "unknown key" in faults_of(BARE | keys, tmp_path)[0]
    assert faults_of(BARE | keys | {"last": "1"}, tmp_path) == [
        "1001:1: more than 1000 keys in one mapping; no fixture has as many"
    ]


@pytest.mark.clause("fixture_format.19")
def test_the_profiles_of_fixtures_are_those_that_are_run() -> None:
    assert tuple(profiles.PROFILES) == schema.PROFILES


@pytest.mark.clause("fixture_format.30")
def test_an_operand_may_be_given_released(tmp_path: Path) -> None:
    rejects = "{error: released_operand, details: {stage: raw_scores, operand: key}}"
    fixture = fixture_of(REFUSED | {"given": "{released: [key]}", "rejects": rejects}, tmp_path)
    assert fixture.request.released == ("key",)


PART = "{at: [0, 1], with: [1, 2]}"
LAWS: dict[str, type[Law]] = {
    f"perturbation: {{replace: {{key: {PART}}}, unchanged: {{output: [[0, 0]], gradients.query: [[]]}}}}": Perturbation,
    "prefix_extension: {of: [output, raw_scores], lengths: all}": PrefixExtension,
    "prefix_extension: {of: output, lengths: [1]}": PrefixExtension,
    "batch_isolation: {of: [output, gradients.key]}": BatchIsolation,
    "zero_gradient: {of: gradients.key, at: [0, 1]}": ZeroGradient,
    "row_sums: {of: probabilities, within: 1.0e-12}": RowSums,
    "gradient_check: {step: 1.0e-6, tolerance: 4.0e-6}": GradientCheck,
    f"isolation: {{poison: {{key: {PART}}}, of: {{output: [[0, 0]]}}}}": Isolation,
}


@pytest.mark.clause("fixture_format.32", "fixture_format.33", "fixture_format.35")
@pytest.mark.parametrize("text", LAWS)
def test_a_law_is_read_and_names_its_part(text: str, tmp_path: Path) -> None:
    fixture = fixture_of(HEAD | {"profile": "isolation", "laws": f"[{{{text}}}, {{{text}}}]"}, tmp_path)
    name = text.partition(":")[0]
    assert [part for part, _ in law_parts(fixture)] == [name, f"{name}#2"]
    assert all(isinstance(law, LAWS[text]) and law.name == name for law in fixture.laws)


@pytest.mark.clause("fixture_format.33")
def test_one_name_stands_for_a_list_of_it(tmp_path: Path) -> None:
    (law,) = fixture_of(HEAD | {"laws": "[{row_sums: {of: probabilities, within: 0}}]"}, tmp_path).laws
    assert isinstance(law, RowSums)
    assert law.of == ("probabilities",)


@pytest.mark.clause("fixture_format.37")
def test_a_same_as_names_a_case_that_exists(tmp_path: Path) -> None:
    case = tmp_path / "fixtures" / "attention" / "two.yaml"
    case.parent.mkdir(parents=True)
    entries = HEAD | {"laws": "[{same_as: {case: attention/two, of: output, at: [0, 1], within: 3.0e-15}}]"}
    assert [fault.partition(": ")[2] for fault in faults_of(entries, tmp_path)] == [
        "laws[0].same_as.case: there is no case attention/two"
    ]
    case.touch()
    assert faults_of(entries, tmp_path) == []
    (law,) = fixture_of(entries, tmp_path).laws
    assert isinstance(law, SameAs)
    assert (law.case, law.at, law.within) == ("attention/two", (0, 1), 3e-15)


@pytest.mark.clause("fixture_format.38")
@pytest.mark.parametrize(
    "proof",
    [
        "visible: {row: 1, keys: [0, 1]}",
        "shapes: {output: [1, 2, 3], gradients.key: [1, 2, 2]}",
        "values: {output: {at: [0, 0], values: [3, -3, 1]}, loss: {at: [], within: 1, values: 0}}",
        "law: row_sums#2",
        "law: replay",
    ],
)
def test_an_answer_may_show_one_thing(proof: str, tmp_path: Path) -> None:
    entries = HEAD | {"laws": "[{row_sums: {of: probabilities, within: 0}}, {row_sums: {of: mask, within: 0}}]"}
    entries["questions"] = f"[{{ask: Q, answer: {{text: x, {proof}}}}}]"
    ((question,),) = [fixture_of(entries, tmp_path).questions]
    assert question.answer.text == "x"
    assert getattr(question.answer, proof.partition(":")[0]) is not None


@pytest.mark.clause("fixture_format.6")
def test_the_json_schema_is_that_of_the_models() -> None:
    written = (ROOT / "spec" / "schema" / "fixture.schema.json").read_text(encoding="utf-8")
    assert json.loads(written) == schema.fixture_schema(), "run python tools/export_schema.py"


def test_a_fixture_goes_to_another_process_whole(tmp_path: Path) -> None:
    fixture = fixture_of(HEAD | {"laws": "[{row_sums: {of: probabilities, within: 0}}]"}, tmp_path)
    there = pickle.loads(pickle.dumps(fixture))
    assert (there.id, there.laws[0].of, list(there.expect)) == (fixture.id, ("probabilities",), ["raw_scores"])
    assert struct.pack(">d", there.request.inputs["key"][0, 1, 0]) == struct.pack(">d", -1.0)
