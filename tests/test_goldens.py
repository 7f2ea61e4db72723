"""The complete output of every accepted fixture, against its committed golden."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_regressions.file_regression import FileRegressionFixture

from attnspec.conformance.judges import GoldenJudge
from attnspec.conformance.runner import check_case
from attnspec.conformance.verdicts import Verdict
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.goldens import compare_forms, golden_path, read_golden, render, write_golden
from attnspec.corpus.mismatch import Mismatch
from attnspec.corpus.regeneration import orphans, standing
from attnspec.targets.reference import Reference
from corpus_cases import CORPUS, accepted, cases, fixtures

CAUSAL_BITS = [
    "3ff0000000000000 0000000000000000 0000000000000000",
    "3feff90c58ae038b 3f4bce9d47f1d6dc 0000000000000000",
    "3fdc881f6d6503d6 3fbbbf0494d7e146 3fdc881f6d6503d6",
]
XAVIER_BITS = ["3f744760bbbfc4e2 bfd10508068942ad", "bfdae98b1d44f6ae bfe5a45c1710f8d8"]


@cases(accepted)
def test_the_output_of_every_accepted_fixture_is_its_golden(
    fixture: Fixture, file_regression: FileRegressionFixture
) -> None:
    path = golden_path(fixture.path)
    assert path.exists(), f"{path}: the golden is missing; run python tools/regenerate_goldens.py"
    computed = standing(fixture, Reference().answer, CORPUS.read)
    assert computed.golden is not None, "; ".join(computed.remarks)
    file_regression.check(render(computed.golden), binary=True, fullpath=path, extension=".json", check_fn=same_bytes)


def same_bytes(obtained: Path, expected: Path) -> None:
    """Name tensor, index, both values and ulps where two goldens differ."""
    if obtained.read_bytes() == expected.read_bytes():
        return
    was, now = read_golden(expected), read_golden(obtained)
    if was.inputs_sha256 != now.inputs_sha256:
        raise AssertionError(f"{was.case}: the golden is stale, it was made from other inputs")
    differences: list[Mismatch] = compare_forms(was.flat(), now.flat())
    raise AssertionError(
        "\n".join([f"{was.case}:", *map(str, differences)]) if differences else f"{was.case}: written otherwise"
    )


def test_no_golden_is_without_its_fixture() -> None:
    assert [str(orphan.path) for orphan in orphans(CORPUS)] == []


@pytest.mark.parametrize(
    ("case", "tensor", "bits"),
    [
        ("causal_attention/three_tokens", "probabilities", CAUSAL_BITS),
        ("xavier_uniform/worked_example", "weight", XAVIER_BITS),
    ],
)
def test_the_goldens_hold_the_published_bits(case: str, tensor: str, bits: list[str]) -> None:
    golden = read_golden(golden_path(CORPUS.read(case).path))
    assert golden.parts["outputs"][tensor]["bits"] == bits


def test_one_changed_bit_is_named_with_its_tensor_its_place_both_values_and_ulps(tmp_path: Path) -> None:
    path = golden_path(CORPUS.read("causal_attention/three_tokens").path)
    twin = tmp_path / "twin.json"
    twin.write_bytes(path.read_bytes().replace(b"3feff90c58ae038b 3f4b", b"3feff90c58ae038c 3f4b"))
    with pytest.raises(AssertionError) as caught:
        same_bytes(path, twin)
    message = str(caught.value)
    for part in ("three_tokens", "probabilities[0, 1, 0]", "0.9991513950372889", "0.999151395037289", "1 ulp apart"):
        assert part in message


def test_there_are_goldens_to_compare() -> None:
    assert sum(map(accepted, fixtures())) > 50


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("3feff90c58ae038b", "3feff90c58ae038g", "something that is none"),
        ("3feff90c58ae038b", "3FEFF90C58AE038B", "in lower case"),
        ("3feff90c58ae038b", "3feff90c58ae038", "something that is none"),
        ('"float64"', '"float32"', "something that is none"),
        ('"float64"', '"objekt"', "something that is none"),
        ('"shape": [1, 3, 2]', '"shape": [1, 2, 3]', "shape"),
        ("0.9991513950372889", "0.9991513950372888", "written otherwise"),
        ("three_tokens", "four_tokens", "says it is of"),
        ('"outputs": {', '"outputs": 5, "other": {', "not a golden"),
        ('"format": 1', '"format": 2', "format 2"),
    ],
)
def test_a_damaged_golden_fails_its_case_and_nothing_else(tmp_path: Path, old: str, new: str, said: str) -> None:
    fixture = damaged(tmp_path, lambda text: text.replace(old, new))
    (part,) = [part for part in check_case(fixture, Reference(), GoldenJudge(), CORPUS.read) if part.name == "forward"]
    assert part.verdict is Verdict.FAILED
    assert said in str(part.findings[0])


@pytest.mark.parametrize("text", ["", "[" * 100_000, "5", "\x00", '{"format": 1}'])
def test_what_is_no_golden_at_all_fails_its_case(tmp_path: Path, text: str) -> None:
    fixture = damaged(tmp_path, lambda _: text)
    parts = list(check_case(fixture, Reference(), GoldenJudge(), CORPUS.read))
    assert parts[0].verdict is Verdict.FAILED
    assert "not a golden" in str(parts[0].findings[0])


def test_a_digest_that_differs_is_named_with_its_row(tmp_path: Path) -> None:
    case = "causal_attention/two_batches_of_130"
    row = read_golden(golden_path(CORPUS.read(case).path)).parts["outputs"]["probabilities"]["rows"][5]
    fixture = damaged(tmp_path, lambda text: text.replace(row, "00000000"), case)
    part = next(iter(check_case(fixture, Reference(), GoldenJudge(), CORPUS.read)))
    assert str(part.findings[0]).startswith("probabilities[0, 5]: ")


@pytest.mark.parametrize("rows", ["5", "null", "true", '"abc"', "{}"])
def test_digests_that_are_no_list_are_named_with_their_tensor(tmp_path: Path, rows: str) -> None:
    case = "causal_attention/two_batches_of_130"

    def spoilt(text: str) -> str:
        golden = json.loads(text)
        golden["outputs"]["probabilities"]["rows"] = json.loads(rows)
        return json.dumps(golden)

    part = next(iter(check_case(damaged(tmp_path, spoilt, case), Reference(), GoldenJudge(), CORPUS.read)))
    assert part.verdict is Verdict.FAILED
    assert [str(finding).split(":")[0] for finding in part.findings] == ["probabilities"]


def test_two_writers_of_one_golden_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "case.golden.json"
    golden = read_golden(golden_path(CORPUS.read("causal_attention/three_tokens").path))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: write_golden(path, golden), range(40)))
    assert path.read_bytes() == render(golden)
    assert [left.name for left in tmp_path.iterdir()] == [path.name]


def damaged(folder: Path, change: Callable[[str], str], case: str = "causal_attention/three_tokens") -> Fixture:
    """Return a fixture whose golden was changed."""
    fixture = CORPUS.read(case)
    copy = folder / fixture.path.name
    golden_path(copy).write_text(change(golden_path(fixture.path).read_text(encoding="utf-8")), encoding="utf-8")
    return replace(fixture, path=copy)
