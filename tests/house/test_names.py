"""A topic has one stem in all its places, and what is public says what it is and which clause it serves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from attnspec.corpus.vocabulary import OPERATIONS
from house.sources import PACKAGE, PAGES_WITHOUT_FIXTURES, ROOT, clauses, holds, modules

PLACES = {
    "page": "spec/{}.md",
    "module": "src/attnspec/**/{}.py",
    "accepted fixture": "fixtures/{}/*.yaml",
}


def test_every_operation_stands_in_all_its_places() -> None:
    holds(missing(ROOT, OPERATIONS))


def test_every_page_and_every_folder_of_fixtures_is_a_topic() -> None:
    holds(strangers(ROOT, {*OPERATIONS, *PAGES_WITHOUT_FIXTURES}))
    holds([f"spec/{page}.md is missing" for page in PAGES_WITHOUT_FIXTURES - clauses(ROOT / "spec").keys()])


def test_every_module_says_what_it_is() -> None:
    holds([f"{path} has no docstring" for path, tree in modules(PACKAGE) if not ast.get_docstring(tree)])


@pytest.mark.parametrize("layer", ["numeric", "attention"])
def test_every_public_function_names_its_source(layer: str) -> None:
    pages = clauses(ROOT / "spec")
    known = {*pages, *(clause for found in pages.values() for clause, _ in found)}
    holds([fault for path, tree in modules(PACKAGE / layer) for fault in sourceless(path, tree, known)])


@pytest.mark.parametrize(
    ("gone", "fault"),
    [
        ("spec/causal_mask.md", "causal_mask has no page (spec/causal_mask.md)"),
        ("src/attnspec/attention/causal_mask.py", "causal_mask has no module (src/attnspec/**/causal_mask.py)"),
        ("fixtures/causal_mask/one.yaml", "causal_mask has no accepted fixture (fixtures/causal_mask/*.yaml)"),
    ],
)
def test_a_missing_place_is_caught(tmp_path: Path, gone: str, fault: str) -> None:
    for name in (
        "spec/causal_mask.md",
        "src/attnspec/attention/causal_mask.py",
        "fixtures/causal_mask/one.yaml",
        "fixtures/causal_mask/rejected/two.yaml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert missing(tmp_path, ["causal_mask"]) == []
    (tmp_path / gone).unlink()
    assert missing(tmp_path, ["causal_mask"]) == [fault]


def test_a_page_or_a_folder_without_a_topic_is_caught(tmp_path: Path) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec/README.md").touch()
    (tmp_path / "spec/masks.md").touch()
    (tmp_path / "fixtures/casual_mask").mkdir(parents=True)
    assert strangers(tmp_path, {"causal_mask"}) == ["spec/masks.md", "fixtures/casual_mask"]


@pytest.mark.parametrize(
    ("docstring", "caught"),
    [
        ('"""Do it.\n\nSource:\n    tape.1, tape.2\n"""', False),
        ('"""Do it.\n\nSource:\n    tape.1 to tape.3, arithmetic\n"""', False),
        ('"""Do it.\n\nSource:\n    arithmetic\n"""', False),
        ('"""Do it."""', True),
        ("pass", True),
        ('"""Do it.\n\nSource:\n    the paper\n"""', True),
        ('"""Do it.\n\nSource:\n    tape.1, tape.9\n"""', True),
    ],
)
def test_a_function_without_a_source_that_exists_is_caught(docstring: str, caught: bool) -> None:
    tree = ast.parse("def do_it():\n" + "\n".join(f"    {line}" for line in docstring.split("\n")))
    assert bool(sourceless(Path("do.py"), tree, {"tape.1", "tape.2", "tape.3", "arithmetic"})) is caught


def missing(root: Path, topics: Iterable[str]) -> list[str]:
    """Places where a topic should stand and does not."""
    return [
        f"{topic} has no {place} ({pattern.format(topic)})"
        for topic in topics
        for place, pattern in PLACES.items()
        if not any(root.glob(pattern.format(topic)))
    ]


def strangers(root: Path, topics: set[str]) -> list[str]:
    """Spec pages and folders of fixtures that are no topic's."""
    pages = [path for path in sorted((root / "spec").glob("*.md")) if path.stem not in topics | {"README"}]
    folders = [path for path in sorted((root / "fixtures").iterdir()) if path.is_dir() and path.name not in topics]
    return [path.relative_to(root).as_posix() for path in pages + folders]


def sourceless(path: Path, tree: ast.Module, known: set[str]) -> list[str]:
    """Public functions of a module whose docstring has no `Source:` naming clauses, or a whole page, that exist."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            _, _, source = (ast.get_docstring(node) or "").partition("\nSource:\n")
            named = re.split(r", *|\s+to\s+|\s*\n\s*", source.strip())
            found += [f"{path}:{node.lineno}: {node.name} names no source {one!r}" for one in named if one not in known]
    return found
