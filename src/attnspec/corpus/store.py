"""Where the corpus is, and what is in it (fixture_format)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnspec.corpus.fixture import Fixture

_PACKAGE = Path(__file__).resolve().parents[1]
_CLAUSE = re.compile(r"^\*\*([a-z0-9_]+\.[0-9]+)\*\*(?: \*\((definition|withdrawn)\)\*)? ", re.MULTILINE)
_END = re.compile(r"^#", re.MULTILINE)


class NoCorpusError(Exception):
    """There is no corpus where one was looked for."""


@dataclass(frozen=True)
class Clause:
    """A clause of a spec page; `kind` is normative, definition or withdrawn."""

    id: str
    text: str
    kind: str


@dataclass(frozen=True)
class Corpus:
    """The fixtures under `root` and the pages under `spec`."""

    root: Path
    spec: Path

    def paths(self) -> Iterator[Path]:
        """Yield the fixture files, folder by folder in the order of their names."""
        yield from _files(self.root, ".yaml")

    def __iter__(self) -> Iterator[Fixture]:
        """Read the fixtures one by one.

        Raises:
            FixtureFaults: a file is no fixture.
        """
        return (self._read(path) for path in self.paths())

    def case_id(self, path: Path) -> str:
        return path.relative_to(self.root).with_suffix("").as_posix()

    def path(self, case: str) -> Path:
        return self.root / f"{case}.yaml"

    def read(self, case: str) -> Fixture:
        """Read one case by its id.

        Raises:
            FixtureFaults: the file is no fixture.
            OSError: there is no such case.
        """
        return self._read(self.path(case))

    def hash(self) -> str:
        """SHA-256 over the names and bytes of fixtures and goldens."""
        digest = hashlib.sha256()
        for path in _files(self.root, ".yaml", ".golden.json"):
            data = path.read_bytes()
            digest.update(f"{path.relative_to(self.root).as_posix()}\0{len(data)}\0".encode())
            digest.update(data)
        return digest.hexdigest()

    def clauses(self) -> dict[str, Clause]:
        """The clauses of all pages by id."""
        return self._clauses

    @cached_property
    def _clauses(self) -> dict[str, Clause]:
        pages = sorted(self.spec.glob("*.md"))
        return {clause.id: clause for page in pages for clause in read_clauses(page.read_text(encoding="utf-8"))}

    def _read(self, path: Path) -> Fixture:
        from attnspec.corpus.lint import read_fixture  # the models only when something is read

        return read_fixture(path, self.root)


def find_corpus(folder: Path | None = None) -> Corpus:
    """Return the corpus in `folder`, else that of the checkout that this code runs from, else the package's.

    A folder replaces the fixtures only; the pages come as they would without it.

    Raises:
        NoCorpusError: there is none.
    """
    checkout = _PACKAGE.parents[1]
    in_checkout = _PACKAGE.parent.name == "src" and (checkout / "pyproject.toml").is_file() and (checkout / "fixtures").is_dir()
    home = checkout if in_checkout else _PACKAGE / "data"
    root = home / "fixtures" if folder is None else folder
    if not root.is_dir():
        raise NoCorpusError(f"{root}: no corpus here; a folder laid out as fixtures/ is expected")
    return Corpus(root, home / "spec")


def read_clauses(page: str) -> Iterator[Clause]:
    """Yield the clauses of a page; one ends where the next or a heading begins."""
    starts = list(_CLAUSE.finditer(page))
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        text = page[start.end() : following.start() if following else len(page)]
        heading = _END.search(text)
        yield Clause(start[1], text[: heading.start() if heading else None].strip(), start[2] or "normative")


def _files(folder: Path, *suffixes: str) -> Iterator[Path]:
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files(path, *suffixes)
        elif path.name.endswith(suffixes):
            yield path
