"""Where the corpus is, and what is in it (fixture_format)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnspec.corpus.fixture import Fixture

FIXTURES = (".yaml", ".yml")
CLAUSE_ID = r"[a-z0-9_]+\.[0-9]+"

_PACKAGE = Path(__file__).resolve().parents[1]
_CLAUSE = re.compile(rf"^\*\*({CLAUSE_ID})\*\*(?: \*\((definition|withdrawn)\)\*)? ", re.MULTILINE)
_END = re.compile(r"^#", re.MULTILINE)


class NoCorpusError(ValueError):
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

    def places(self) -> Iterator[str]:
        """Yield where the fixture files stand, from the root on, folder by folder in the order of their names."""
        return _places(str(self.root), FIXTURES)

    def paths(self) -> Iterator[Path]:
        """Yield the fixture files in this order."""
        return fixture_files(self.root)

    def __iter__(self) -> Iterator[Fixture]:
        """Read the fixtures one by one.

        Raises:
            FixtureFaults: a file is no fixture.
        """
        return map(self.read_path, self.paths())

    def __len__(self) -> int:
        return sum(1 for _ in self.places())

    def case_id(self, path: Path) -> str:
        return path.relative_to(self.root).with_suffix("").as_posix()

    def read(self, case: str) -> Fixture:
        """Read one case by its id.

        Raises:
            FixtureFaults: the file is no fixture.
            OSError: there is no such case.
        """
        return self.read_path(self.root / f"{case}.yaml")

    def read_path(self, path: Path) -> Fixture:
        """Read one of `paths()`.

        Raises:
            FixtureFaults: the file is no fixture.
        """
        from attnspec.corpus.lint import read_fixture  # the models only when something is read

        return read_fixture(path, self.root)

    def hash(self) -> str:
        """SHA-256 over the names and bytes of fixtures and goldens."""
        digest = hashlib.sha256()
        for place in _places(str(self.root), (".yaml", ".golden.json")):
            data = _bytes(self.root, place)
            digest.update(f"{place}\0{len(data)}\0".encode())
            digest.update(data)
        return digest.hexdigest()

    def clauses(self) -> dict[str, Clause]:
        """The clauses of all pages by id."""
        return self._clauses

    @cached_property
    def _clauses(self) -> dict[str, Clause]:
        pages = sorted(self.spec.glob("*.md"))
        return {clause.id: clause for page in pages for clause in read_clauses(page.read_text(encoding="utf-8"))}


def find_corpus(folder: Path | None = None) -> Corpus:
    """Return the corpus in `folder`, else that of the checkout that this code runs from, else the package's.

    A folder replaces the fixtures only; the pages come as they would without it.

    Raises:
        NoCorpusError: there is none.
    """
    checkout = _PACKAGE.parents[1]
    home = checkout if _PACKAGE.parent.name == "src" and _is_checkout(checkout) else _PACKAGE / "data"
    root = home / "fixtures" if folder is None else folder
    if not root.is_dir():
        raise NoCorpusError(f"{root}: no corpus here; a folder laid out as fixtures/ is expected")
    return Corpus(root, home / "spec")


def fixture_files(folder: Path) -> Iterator[Path]:
    """Yield what stands in a folder as a fixture, also what cannot be read as one: a lost link, a name in .yml."""
    return map(folder.joinpath, _places(str(folder), FIXTURES))


def checkout_above(folder: Path) -> Path | None:
    """The checkout of this project that a folder lies in, if it does."""
    places = (folder, *folder.parents)
    return next((place for place in places if _is_checkout(place) and (place / "src" / "attnspec").is_dir()), None)


def read_clauses(page: str) -> Iterator[Clause]:
    """Yield the clauses of a page; one ends where the next or a heading begins."""
    starts = list(_CLAUSE.finditer(page))
    for start, following in zip_longest(starts, starts[1:]):
        text = page[start.end() : following.start() if following else len(page)]
        heading = _END.search(text)
        yield Clause(start[1], text[: heading.start() if heading else None].strip(), start[2] or "normative")


def _bytes(root: Path, place: str) -> bytes:
    try:
        with open(f"{root}/{place}", "rb", buffering=0) as file:  # whole at once: a buffer costs more than the reading
            return file.read()
    except OSError:
        if (root / place).is_file():
            raise
        return b""  # a link that leads nowhere


def _is_checkout(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file() and (folder / "fixtures").is_dir()


def _places(folder: str, suffixes: tuple[str, ...], above: str = "") -> Iterator[str]:
    """Walk in the order of names: nothing hidden, no pipe or device, nothing behind a link to a folder."""
    with os.scandir(folder) as entries:
        kept = sorted((entry.name, _is_folder(entry)) for entry in entries if _is_kept(entry, suffixes))
    for name, is_folder in kept:
        if is_folder:
            yield from _places(f"{folder}/{name}", suffixes, f"{above}{name}/")
        else:
            yield f"{above}{name}"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)  # a link could lead back here


def _is_kept(entry: os.DirEntry[str], suffixes: tuple[str, ...]) -> bool:
    if entry.name.startswith("."):
        return False
    if _is_folder(entry):
        return True
    if not entry.name.endswith(suffixes):
        return False
    return entry.is_file(follow_symlinks=False) or Path(entry.path).is_file() or not Path(entry.path).exists()
