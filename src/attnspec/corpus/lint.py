"""Read a fixture, or say everything that is wrong with it (fixture_format)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from attnspec.corpus.checks import Finding, Subject, check
from attnspec.corpus.claims import check_claims
from attnspec.corpus.faults import MOST, Fault, FixtureFaults, in_order
from attnspec.corpus.fixture import Fixture, Law, SameAs
from attnspec.corpus.formulas import Empty, Formula
from attnspec.corpus.nodes import AliasNode, MappingNode, Node, find, placed
from attnspec.corpus.numbers import kind_of
from attnspec.corpus.rejections import nearest
from attnspec.corpus.request import Array, Request, Value
from attnspec.corpus.schema import CLAUSE
from attnspec.corpus.shapes import Sizes
from attnspec.corpus.validation import validate
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.corpus.yaml_reader import disagreement, read_tree

_NOTHING = placed(MappingNode(), 1, 1)


def read_fixture(path: Path, root: Path) -> Fixture:
    """Read the fixture at `path` of the corpus at `root`.

    Raises:
        FixtureFaults: the file is no fixture; it holds all faults.
        OSError: the file cannot be read.
    """
    reading = _read(path, root, _data(path))
    if reading.faults or reading.fixture is None:
        raise FixtureFaults(reading.faults)
    return reading.fixture


def lint_file(path: Path, root: Path, clauses: Mapping[str, object]) -> list[Fault]:
    """Return all faults of a file: also of its clauses and its place, and where YAML parsers disagree about it."""
    try:
        data = _data(path)
    except FixtureFaults as none:
        return list(none.faults)
    reading = _read(path, root, data)
    faults = list(reading.faults)
    if isinstance(reading.tree, MappingNode):
        if not faults:
            faults += disagreement(data, path, reading.tree)
        findings = [
            *_clauses(reading.tree, clauses),
            *_place(reading.tree, path, root),
        ]
        faults += _faults(findings, reading.tree, path)
        faults += _faults([*_others(reading.laws, case_id(path, root), root)], reading.sound, path)
    return list(in_order(faults))


def case_id(path: Path, root: Path) -> str:
    """The path in the corpus without `.yaml`; the name alone of a file that lies outside."""
    return (_inside(path, root) or Path(path.name)).with_suffix("").as_posix()


def _inside(path: Path, root: Path) -> Path | None:
    """The path from the root of the corpus; None of a file that lies outside."""
    if not path.is_relative_to(root):
        path, root = path.resolve(), root.resolve()
    return path.relative_to(root) if path.is_relative_to(root) else None


def _data(path: Path) -> bytes:
    """The bytes of a fixture; FixtureFaults for what stands in its place and cannot be one."""
    message = None
    if path.suffix == ".yml":
        message = "a fixture's name ends in .yaml; under this name nobody reads it"
    elif path.exists() and not path.is_file():
        message = "no file stands here, but a folder, a pipe or a device"
    elif path.is_symlink() and not path.exists():
        message = "the link leads nowhere"
    if message is not None:
        raise FixtureFaults([Fault(path, 1, 1, message)])
    return path.read_bytes()


class _Reading(NamedTuple):
    """A file as it was read; `sound` is the tree without what was set aside, which `laws` come from."""

    fixture: Fixture | None
    tree: Node | None
    faults: list[Fault]
    laws: tuple[Law, ...] = ()
    sound: MappingNode = _NOTHING


def _read(path: Path, root: Path, data: bytes) -> _Reading:
    tree, faults = read_tree(data, path)
    if not isinstance(tree, MappingNode):
        if tree is not None:
            faults.append(Fault(path, tree.line, tree.column, f"{kind_of(tree)} where a mapping is expected"))
        return _Reading(None, tree, faults)
    document, left, problems = validate(tree)
    faults += [Fault(path, problem.node.line, problem.node.column, str(problem)) for problem in problems]
    if document is None:
        return _Reading(None, tree, faults)
    operation = OPERATIONS[document.operation]
    inputs = {name: _expanded(value) for name, value in document.inputs.items()}
    upstream = {name: _expanded(value) for name, value in document.upstream.items()}
    subject = Subject(document, operation, inputs, upstream, tree, Sizes(operation, inputs))
    faults += _faults([*check(subject), *check_claims(subject)], left, path)
    fixture = None if faults else _fixture(path, case_id(path, root), subject)
    return _Reading(fixture, tree, faults, tuple(entry.law for entry in document.laws), left)


def _expanded(value: Formula | Empty | Value) -> Value:
    return value.array() if isinstance(value, Formula | Empty) else value


def _fixture(path: Path, case: str, subject: Subject) -> Fixture:
    document = subject.document
    released = document.given.released if document.given else ()
    upstream: dict[str, Array] = subject.upstream  # type: ignore[assignment]
    return Fixture(
        id=case,
        path=path,
        about=document.about,
        operation=subject.operation,
        profile=document.profile,
        clauses=document.clauses,
        source=document.source,
        request=Request(document.operation, subject.inputs, upstream, released),
        expect=document.expect.by_name() if document.expect else {},
        rejects=document.rejects,
        laws=tuple(entry.law for entry in document.laws),
        questions=document.questions,
    )


def _faults(findings: list[Finding], tree: MappingNode, path: Path) -> list[Fault]:
    faults = []
    for steps, message in findings:
        found = find(tree, steps)
        if not isinstance(found.node, AliasNode):
            text = f"{found.name}: {message}" if found.name else message
            faults.append(Fault(path, found.node.line, found.node.column, text))
    return faults


def _clauses(tree: MappingNode, known: Mapping[str, object]) -> Iterator[Finding]:
    cited = tree.get("clauses")
    seen: set[str] = set()
    for index, clause in enumerate(cited if isinstance(cited, list) else ()):
        if not isinstance(clause, str):
            continue
        if clause not in known and CLAUSE.fullmatch(clause):
            hint = f"; {nearest(clause, known)}" if index < MOST else ""  # looking for it takes its time
            yield ("clauses", index), f"there is no clause {clause}{hint}"
        if clause in seen:
            yield ("clauses", index), f"{clause} is cited twice"
        seen.add(clause)


def _place(tree: MappingNode, path: Path, root: Path) -> Iterator[Finding]:
    place = _inside(path, root)
    if place is None:
        return  # a file on its own, in no corpus
    topic, *below = place.parts[:-1] or ("no operation's",)
    if topic != tree.get("operation"):
        yield ("operation",), f"the folder is {topic}; a fixture stands in the folder of its operation"
    if below and below != ["rejected"]:
        yield (), f"the folder is {'/'.join((topic, *below))}; a fixture stands in {topic}, or in rejected there"
    elif ("rejects" in tree) != bool(below):
        yield ("rejects",), "refused cases, and only they, stand in the folder rejected"


def _others(laws: tuple[Law, ...], case: str, root: Path) -> Iterator[Finding]:
    for index, law in enumerate(laws):
        if not isinstance(law, SameAs):
            continue
        if law.case == case:
            yield ("laws", index, law.name, "case"), "a case equals itself; another case is meant"
        elif not (root / f"{law.case}.yaml").is_file():
            yield ("laws", index, law.name, "case"), f"there is no case {law.case}"
