"""Where the corpus is found, what is in it, and what belongs to a golden (fixture_format)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attnspec.corpus.faults import FixtureFaults
from attnspec.corpus.goldens import golden_path, make_golden, render
from attnspec.corpus.lint import lint_file
from attnspec.corpus.request import Answered, Request
from attnspec.corpus.store import Corpus, NoCorpusError, checkout_above, find_corpus, read_clauses
from attnspec.corpus.values import encode_for_reading, inputs_sha256
from fixture_texts import EXPONENTIAL, HEAD, fixture_of, text_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = """# Mask

Words about causal_mask.9.

**causal_mask.1** The mask is square,
and that is all.

| a | table |

**causal_mask.2** *(definition)* A key is blocked when it is not visible.
**causal_mask.3** *(withdrawn)* There is no mask.

## Another heading

Words that belong to no clause.
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    for case in ("exponential/b", "exponential/a", "exponential/rejected/c", "causal_mask/d"):
        path = tmp_path / "fixtures" / f"{case}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(EXPONENTIAL | {"about": case}), encoding="utf-8")
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "causal_mask.md").write_text(PAGE, encoding="utf-8")
    return Corpus(tmp_path / "fixtures", tmp_path / "spec")


@pytest.mark.clause("fixture_format.1")
def test_fixtures_are_read_one_by_one_in_the_order_of_their_folders(corpus: Corpus) -> None:
    ids = ["causal_mask/d", "exponential/a", "exponential/b", "exponential/rejected/c"]
    (corpus.root / "README.md").touch()
    (corpus.root / "exponential" / ".a.yaml").touch()  # an editor's copy
    assert [corpus.case_id(path) for path in corpus.paths()] == ids
    assert [fixture.id for fixture in corpus] == [fixture.about for fixture in corpus] == ids
    assert len(corpus) == 4
    assert corpus.read("exponential/b").about == "exponential/b"


@pytest.mark.clause("fixture_format.48")
def test_links_to_folders_and_pipes_are_passed_over_and_what_cannot_be_read_is_a_fault(corpus: Corpus) -> None:
    ids, digest = [fixture.id for fixture in corpus], corpus.hash()
    (corpus.root / "loop").symlink_to(corpus.root)
    os.mkfifo(corpus.root / "exponential" / "pipe.yaml")
    (corpus.root / "exponential" / "other.yaml").symlink_to("pipe.yaml")
    assert ([fixture.id for fixture in corpus], corpus.hash()) == (ids, digest)
    for name in ("lost.yaml", "loops.yaml", "name.yml"):
        path = corpus.root / "causal_mask" / name
        path.touch() if path.suffix == ".yml" else path.symlink_to("loops.yaml")
        assert path in list(corpus.paths())
        with pytest.raises(FixtureFaults, match=r"the link leads nowhere|a fixture's name ends in \.yaml"):
            corpus.read_path(path)
        assert len(lint_file(path, corpus.root, {})) == 1
    assert len(corpus.hash()) == 64


@pytest.mark.clause("fixture_format.46")
def test_the_hash_covers_names_and_bytes_of_fixtures_and_goldens_and_nothing_else(corpus: Corpus) -> None:
    first = corpus.hash()
    (corpus.root / "README.md").write_text("words", encoding="utf-8")
    assert corpus.hash() == first
    golden = corpus.root / "exponential" / "a.golden.json"
    golden.write_text("{}", encoding="utf-8")
    second = corpus.hash()
    golden.rename(golden.with_name("b.golden.json"))
    third = corpus.hash()
    golden.with_name("b.golden.json").write_text("{ }", encoding="utf-8")
    assert len({first, second, third, corpus.hash()}) == 4


def test_a_clause_ends_where_the_next_one_or_a_heading_begins() -> None:
    first, second, third = read_clauses(PAGE)
    assert (first.id, first.kind, first.text.split("\n")[:2]) == (
        "causal_mask.1",
        "normative",
        ["The mask is square,", "and that is all."],
    )
    assert (second.id, second.kind) == ("causal_mask.2", "definition")
    assert second.text == "A key is blocked when it is not visible."
    assert (third.id, third.kind, third.text) == ("causal_mask.3", "withdrawn", "There is no mask.")


def test_clauses_are_found_by_id(corpus: Corpus) -> None:
    assert list(corpus.clauses()) == ["causal_mask.1", "causal_mask.2", "causal_mask.3"]


@pytest.mark.clause("fixture_format.45")
def test_a_folder_replaces_the_fixtures_and_not_the_pages(corpus: Corpus) -> None:
    assert find_corpus() == Corpus(ROOT / "fixtures", ROOT / "spec")
    assert find_corpus(corpus.root) == Corpus(corpus.root, ROOT / "spec")
    with pytest.raises(NoCorpusError, match="no corpus here"):
        find_corpus(corpus.root / "nowhere")


@pytest.mark.clause("fixture_format.45")
@pytest.mark.parametrize(("package", "found"), [("src/attnspec", "."), ("lib/attnspec", "lib/attnspec/data")])
def test_code_in_a_checkout_takes_its_corpus_and_installed_code_the_package_s(
    package: str, found: str, tmp_path: Path
) -> None:
    """A copy of the package beside other fixtures, as a checkout and as an installation."""
    shutil.copytree(ROOT / "src" / "attnspec", tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for home in (".", f"{package}/data"):
        (tmp_path / home / "fixtures").mkdir(parents=True)
        (tmp_path / home / "spec").mkdir()
    (tmp_path / "pyproject.toml").touch()
    code = "from attnspec.corpus.store import find_corpus; print(find_corpus().root)"
    run = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str((tmp_path / package).parent)!r}); {code}"]
    printed = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.strip()
    assert Path(printed) == (tmp_path / found / "fixtures").resolve()


def test_a_folder_knows_the_checkout_that_it_lies_in(tmp_path: Path) -> None:
    assert checkout_above(ROOT / "tests" / "data") == ROOT
    assert checkout_above(tmp_path) is None


def test_the_vocabulary_and_the_store_cost_no_models() -> None:
    code = (
        "import sys; import attnspec.corpus.vocabulary, attnspec.corpus.request, attnspec.corpus.store as store; "
        "list(store.find_corpus().paths()); print('attnspec.corpus.model' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# What a golden holds


@pytest.mark.clause("fixture_format.40")
def test_a_golden_stands_beside_its_fixture() -> None:
    assert golden_path(Path("causal_mask/four_tokens.yaml")) == Path("causal_mask/four_tokens.golden.json")


@pytest.mark.clause("fixture_format.41")
def test_a_golden_holds_outputs_loss_gradients_and_what_laws_name() -> None:
    request = Request("linear_projection", {}, {"output": np.ones((1, 1))})
    answer = Answered({"output": np.full((1, 1), 2.0)}, {"input": np.zeros((1, 1))})
    golden = make_golden("a/b", request, answer, {"perturbation": {"output": np.ones((1, 1))}})
    assert list(golden.flat()) == ["output", "loss", "gradients.input", "laws.perturbation.output"]
    assert golden.flat()["loss"]["values"] == ["2.0"]
    quiet = make_golden("a/b", replace(request, upstream={}), Answered(answer.outputs), {})
    assert list(quiet.flat()) == ["output"]
    assert list(json.loads(render(golden))) == [
        "format",
        "case",
        "inputs_sha256",
        "outputs",
        "loss",
        "gradients",
        "laws",
    ]


@pytest.mark.clause("fixture_format.42")
def test_a_value_is_written_in_bits_with_decimals_beside_them() -> None:
    assert encode_for_reading(np.array([[1.0, -0.0], [0.5, np.inf]])) == {
        "dtype": "float64",
        "shape": [2, 2],
        "bits": ["3ff0000000000000 8000000000000000", "3fe0000000000000 7ff0000000000000"],
        "values": ["1.0 -0.0", "0.5 inf"],
    }
    assert encode_for_reading(np.array([7], dtype=np.uint64))["bits"] == ["0000000000000007"]
    assert encode_for_reading(np.array(1.0))["bits"] == ["3ff0000000000000"]
    assert encode_for_reading(np.empty((0, 3)))["bits"] == []
    assert encode_for_reading(2**64 - 1) == "18446744073709551615"
    assert encode_for_reading(True) is True
    assert encode_for_reading(("a", "b")) == ["a", "b"]


@pytest.mark.clause("fixture_format.43")
def test_a_large_tensor_is_held_by_digests() -> None:
    array = np.arange(4097.0).reshape(17, 241)
    form = encode_for_reading(array)
    assert "bits" not in form
    assert form["sha256"] == hashlib.sha256(array.astype(">f8").tobytes()).hexdigest()
    assert len(form["rows"]) == 17
    assert "bits" in encode_for_reading(np.arange(4096.0))


@pytest.mark.clause("fixture_format.44")
def test_the_inputs_digest_sees_bits_and_no_words(tmp_path: Path) -> None:
    first = inputs_sha256(fixture_of(HEAD, tmp_path).request)
    for same in ({"about": "Other words."}, {"profile": "strict"}, {"expect": "{output: {shape: [1, 2, 3]}}"}):
        assert inputs_sha256(fixture_of(HEAD | same, tmp_path).request) == first
    changed = {first}
    for other in (
        {"inputs": HEAD["inputs"].replace("[[[0,", "[[[-0,")},
        {"upstream": HEAD["upstream"].replace("2", "2.0000000000000004")},
        {"operation": "attention"},
    ):
        changed.add(inputs_sha256(fixture_of(HEAD | other, tmp_path).request))
    assert len(changed) == 4
