"""Whether the cases and clauses that requirements.yaml names are there and hold what it says of them."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from attnspec.corpus.fixture import Answer, Fixture
from attnspec.corpus.model import Model
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.numeric.binary64 import float_of
from corpus_cases import CORPUS, ROOT, fixtures

ROWS = [*(f"A{n}" for n in range(1, 19)), "A20", *(f"B{n}" for n in range(1, 7)), *(f"C{n}" for n in range(1, 18))]
WITHOUT_ARITHMETIC = {"A17", "A20", "C15", "C16"}
KINDS = (
    *("C1", "C2", "D1", "E3", "F1", "F2", "G1", "G1b", "H1", "I1", "I2", "J1", "J2", "J3", "J4", "J6", "J9", "K1"),
    *("L1", "L2", "L3", "M1", "N1", "N2", "N3", "N4", "N6", "N8", "O1", "O3", "O5", "Q1", "S1"),
)

Document = dict[str, Any]
Stated = Any
Cases = list[Fixture]


@cache
def by_id() -> dict[str, Fixture]:
    return {fixture.id: fixture for fixture in fixtures()}


def row_faults(rows: Mapping[str, Document]) -> list[str]:
    missing = [f"{row}: the row is missing" for row in ROWS if row not in rows]
    unknown = [f"{row}: no such row" for row in rows if row not in ROWS]
    return missing + unknown + [f"{row}: {fault}" for row, entry in rows.items() for fault in entry_faults(row, entry)]


def entry_faults(row: str, entry: Document) -> Iterator[str]:
    claims = entry["claims"]
    if not claims:
        yield "no claim"
    needed, what = ("clauses", "clause states it") if row in WITHOUT_ARITHMETIC else ("cases", "case")
    if not any(claim.get(needed) for claim in claims):
        yield f"no {what}"
    for claim in claims:
        yield from (f"{claim['says']}: {fault}" for fault in claim_faults(claim))


def claim_faults(claim: Document) -> Iterator[str]:
    unknown = claim.keys() - {"says", "cases", "clauses", "tests", *STATEMENTS}
    yield from (f"{key}: no such entry" for key in unknown)
    clauses = CORPUS.clauses()
    absent = absent_cases(claim.get("cases", ()))
    absent += [f"{clause}: no such clause" for clause in claim.get("clauses", ()) if clause not in clauses]
    absent += [f"{test}: no such test" for test in claim.get("tests", ()) if not is_test(test)]
    yield from absent
    if not any(claim.get(where) for where in ("cases", "clauses", "tests")):
        yield "nothing holds it"
    if not absent:
        cases = [by_id()[case] for case in claim.get("cases", ())]
        for statement in STATEMENTS.keys() & claim.keys():
            yield from STATEMENTS[statement](claim[statement], cases, claim.get("clauses", ()))


def absent_cases(cases: Any) -> list[str]:
    return [f"{case}: no such case" for case in cases if case not in by_id()]


def is_test(name: str) -> bool:
    file, _, function = name.partition("::")
    path = ROOT / "tests" / file
    return path.is_file() and f"\ndef {function}(" in path.read_text(encoding="utf-8")


def held(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    """Inputs, upstreams and expectations."""
    for name, value in stated.items():
        if not any(same(value, known(case).get(name)) for case in cases):
            yield f"no case has {name} = {value}"


def shaped(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    for name, shape in stated.items():
        if not any(list(shape) == shape_in(case, name) for case in cases):
            yield f"no case has {name} of shape {shape}"


def lawful(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    for name, fields in stated.items():
        laws = [law for case in cases for law in case.laws if law.name == name]
        if not any(same(fields, by_key(law)) for law in laws):
            yield f"no case has the law {name} {fields}"


def by_key(value: Any) -> Any:
    """What a model holds, under the keys of the file."""
    if isinstance(value, Model):
        return {key: by_key(getattr(value, one.name)) for key, one in value.fields.items()}
    return {name: by_key(one) for name, one in value.items()} if isinstance(value, Mapping) else value


def refused(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    given = {"details": {}} | stated
    if not any(case.rejects and same(given, vars(case.rejects)) for case in cases):
        yield f"no case is refused as {stated}"


def asked(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    """A question whose answer shows this."""
    if not any(same(stated, shown(question.answer)) for case in cases for question in case.questions):
        yield f"no question is answered by {stated}"


def said(stated: Stated, cases: Cases, clauses: Stated) -> Iterator[str]:
    """Texts of pages and of questions; a page counts whole, with its tables and data."""
    pages = {CORPUS.spec / f"{clause.split('.')[0]}.md" for clause in clauses}
    texts = [page.read_text(encoding="utf-8") for page in pages]
    texts += [text for case in cases for question in case.questions for text in (question.ask, question.answer.text)]
    flat = [" ".join(text.split()) for text in texts]
    yield from (f"nowhere: {words}" for words in stated if not any(words in text for text in flat))


STATEMENTS: dict[str, Callable[[Stated, Cases, Stated], Iterator[str]]] = {
    "holds": held,
    "shapes": shaped,
    "laws": lawful,
    "rejects": refused,
    "asks": asked,
    "words": said,
}


def known(case: Fixture) -> Mapping[str, Any]:
    """The values that a fixture states by name."""
    return ChainMap(
        {name: expectation.values for name, expectation in case.expect.items() if expectation.values is not None},
        {f"upstream.{name}": value for name, value in case.request.upstream.items()},
        dict(case.request.inputs),
    )


def shape_in(case: Fixture, name: str) -> list[int] | None:
    expectation = case.expect.get(name)
    if expectation is not None and expectation.shape is not None:
        return list(expectation.shape)
    value = known(case).get(name)
    return list(value.shape) if isinstance(value, np.ndarray) else None


def shown(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {"law": answer.law, "shapes": answer.shapes or {}}
    found["values"] = {name: part.values for name, part in (answer.values or {}).items()}
    return found | {"visible": vars(answer.visible) if answer.visible else {}}


def same(stated: Any, found: Any) -> bool:
    """Equal values; of a mapping what is stated must be found, and there may be more."""
    if isinstance(stated, dict):
        return isinstance(found, Mapping) and all(same(value, found.get(key)) for key, value in stated.items())
    if isinstance(found, np.ndarray):
        found = found.tolist()
    if isinstance(stated, list):
        return isinstance(found, list | tuple) and len(stated) == len(found) and all(map(same, stated, found))
    return bool(number(stated) == found)


def number(stated: Any) -> Any:
    """Bits and hexadecimal integers as the numbers that they write; all else as it is."""
    text = stated if isinstance(stated, str) else ""
    if text.startswith("bits:"):
        return float_of(text.removeprefix("bits:"))
    return int(text, 16) if text.startswith("0x") else stated


# Phrases and kinds


def phrase_faults(phrases: Mapping[str, Document]) -> list[str]:
    empty = [f"{phrase}: no operation" for phrase, operations in phrases.items() if not operations]
    return empty + [
        f"{phrase}: {operation}: {fault}"
        for phrase, operations in phrases.items()
        for operation, ways in operations.items()
        for fault in way_faults(operation, ways)
    ]


def way_faults(operation: str, ways: Document) -> Iterator[str]:
    if operation not in OPERATIONS or ways.keys() - {"forward", "backward"}:
        yield f"no operation, or neither forward nor backward: {sorted(ways)}"
    if not any(ways.values()):
        yield "no case"
    for way, names in ways.items():
        ids = [f"{operation}/{name}" for name in names]
        yield from absent_cases(ids)
        if way == "backward":
            there = [by_id()[case] for case in ids if case in by_id()]
            yield from (f"{case.id}: nothing goes back" for case in there if not case.request.upstream)


def kind_faults(kinds: Mapping[str, Document]) -> list[str]:
    found = [f"{kind}: the kind is missing" for kind in KINDS if kind not in kinds]
    for kind, entry in kinds.items():
        found += [f"{kind}: {fault}" for fault in absent_cases(entry["cases"])]
        sources = " ".join(by_id()[case].source for case in entry["cases"] if case in by_id())
        if not any(re.search(re.escape(report) + r"\b", sources) for report in entry["reports"]):
            found.append(f"{kind}: no case names a report of it")
    return found
