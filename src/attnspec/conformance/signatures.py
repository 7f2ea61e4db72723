"""What each broken twin fails, and where, as a file beside the specification (conformance)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnspec.conformance.verdicts import Part, Verdict
from attnspec.corpus.mismatch import Mismatch

FILE = "likely_bugs.json"
"""In the folder of the specification; tools/likely_bugs.py writes it."""

Marks = frozenset[str]
"""The places where a case is wrong: `part/tensor`, or `part/` and a word or two where no tensor is."""

Failures = Mapping[str, Marks]
"""The cases that failed, and where each is wrong."""


@dataclass(frozen=True, eq=False)
class Signature:
    """What a wrong implementation of one known bug fails.

    Args:
        name: of the twin.
        bug: what is wrong with it, a sentence.
        kind: a short word for bugs of its sort.
        level: how close answers had to be.
        profiles: in which it was asked.
        fails: by case id, within the operations whose clauses it breaks.
    """

    name: str
    bug: str
    kind: str
    level: str
    profiles: tuple[str, ...]
    fails: Failures


@dataclass(frozen=True)
class Signatures:
    """All of them, and the cases that they speak of; another case says nothing for or against a bug."""

    cases: frozenset[str]
    twins: tuple[Signature, ...]


def marks_of(parts: Iterable[Part]) -> Marks:
    """Return where a case is wrong; nothing where it is not."""
    marks: set[str] = set()
    for part in parts:
        if part.verdict is Verdict.ERRORED:
            marks.add(f"{part.name}/!")
        elif part.verdict is Verdict.FAILED:
            tensors = {finding.tensor for finding in part.findings if isinstance(finding, Mismatch)}
            said = {_begins(finding) for finding in part.findings if isinstance(finding, str)}
            if tensors:  # then the sentences are about them, but for this one
                said = {words for words in said if words.startswith("wrote_into")}
            marks.update(f"{part.name}/{place}" for place in tensors | said)
    return frozenset(marks)


def read_signatures(spec: Path) -> Signatures:
    """Return what stands in the folder of the specification; nothing where the file is missing."""
    try:
        document = json.loads((spec / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Signatures(frozenset(), ())
    cases = frozenset(f"{operation}/{name}" for operation, names in document["cases"].items() for name in names.split())
    return Signatures(cases, tuple(map(_signature, document["twins"])))


def written(signatures: Signatures) -> str:
    """Return the text of the file: a line for each operation's cases, and one for each twin."""
    by_operation: dict[str, list[str]] = defaultdict(list)
    for case in sorted(signatures.cases):
        by_operation[case.split("/")[0]].append(case.partition("/")[2])
    cases = ",\n".join(f"{json.dumps(name)}: {json.dumps(' '.join(names))}" for name, names in by_operation.items())
    twins = ",\n".join(json.dumps(_form(twin), ensure_ascii=False) for twin in signatures.twins)
    return f'{{\n"cases": {{\n{cases}\n}},\n"twins": [\n{twins}\n]\n}}\n'


def _begins(sentence: str) -> str:
    """Return the first words, such as `answered` or `wrong_code`: what was wrong where no tensor was."""
    words = re.match(r"[a-z ]*", sentence)
    assert words is not None
    return words[0].strip().replace(" ", "_")


def _signature(form: Mapping[str, Any]) -> Signature:
    fails = {
        f"{operation}/{name}": frozenset(marks.split())
        for operation, groups in form["fails"].items()
        for marks, names in groups.items()
        for name in names.split()
    }
    return Signature(form["name"], form["bug"], form["kind"], form["level"], tuple(form["profiles"]), fails)


def _form(twin: Signature) -> dict[str, Any]:
    """A twin as JSON: by operation and by what is wrong, the cases."""
    fails: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for case in sorted(twin.fails):
        operation, _, name = case.partition("/")
        fails[operation][" ".join(sorted(twin.fails[case]))].append(name)
    return {
        "name": twin.name,
        "bug": twin.bug,
        "kind": twin.kind,
        "level": twin.level,
        "profiles": twin.profiles,
        "fails": {
            operation: {marks: " ".join(names) for marks, names in groups.items()}
            for operation, groups in fails.items()
        },
    }
