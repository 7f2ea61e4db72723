"""Where things are, and how the house tests read them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "attnspec"

PAGES_WITHOUT_FIXTURES = {"arithmetic", "tape", "errors", "fixture_format", "conformance"}
CLAUSE = re.compile(r"^\*\*([a-z0-9_]+\.[0-9]+)\*\*(?: \*\((definition|withdrawn)\)\*)? ", re.MULTILINE)


def holds(faults: list[str]) -> None:
    """Assert that there is no fault; show every one otherwise, a line each."""
    assert not faults, "\n" + "\n".join(faults)


def modules(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Every Python file under the folder, or the file itself, with its syntax tree."""
    assert folder.exists(), f"{folder} is missing, so nothing in it was checked"
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def clauses(spec: Path) -> dict[str, list[tuple[str, str]]]:
    """The clauses of every page, by its stem, in the order of the page: id, and "definition", "withdrawn" or ""."""
    pages = sorted(path for path in spec.glob("*.md") if path.name != "README.md")
    return {path.stem: CLAUSE.findall(path.read_text(encoding="utf-8")) for path in pages}
