"""The refusal that a fixture expects: a code of attnspec.errors with exactly its fields (fixture_format, errors)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

from attnspec.corpus import numbers
from attnspec.corpus.nodes import KeyStep, ListNode, MappingNode, Node, Steps, at_key
from attnspec.errors import ERRORS

MOST_LISTED = 20


@dataclass(frozen=True)
class Rejection:
    """The code, and the details as `SpecificationError.details` gives them."""

    error: str
    details: dict[str, object]


def nearest(name: str, known: Iterable[str]) -> str:
    """What would be right in place of `name`."""
    import difflib  # only for messages

    known = tuple(known)
    if near := difflib.get_close_matches(name, known, 3):
        return f"{' or '.join(near)} is meant?"
    return f"known: {', '.join(known) or 'none'}" if len(known) <= MOST_LISTED else f"{len(known)} are known"


def read_rejection(node: Node) -> Rejection:
    """Read `{error: code, details: {...}}`; a cause among the details has the same form."""
    faults: list[tuple[Steps, str]] = []
    rejection = _rejection(node, (), faults)
    if faults:
        raise numbers.ValueFaults(faults)
    return rejection


def _rejection(node: Node, steps: Steps, faults: list[tuple[Steps, str]]) -> Rejection:
    if not isinstance(node, MappingNode) or "error" not in node:
        faults.append((steps, "a mapping is expected: {error: code, details: {...}}"))
        return Rejection("", {})
    faults.extend(((*steps, KeyStep(key)), f"unknown key; {nearest(key, _KEYS)}") for key in node if key not in _KEYS)
    code = node["error"]
    if not isinstance(code, str) or code not in ERRORS:
        known = nearest(code, ERRORS) if isinstance(code, str) else "a name is expected"
        faults.append(((*steps, "error"), f"{code if isinstance(code, str) else 'this'} is no error; {known}"))
        return Rejection("", {})
    return Rejection(str(code), _details(str(code), node.get("details", _NO_DETAILS), (*steps, "details"), faults))


def _details(code: str, node: Node, steps: Steps, faults: list[tuple[Steps, str]]) -> dict[str, object]:
    if not isinstance(node, MappingNode):
        faults.append((steps, "a mapping is expected: the fields of the error"))
        return {}
    types = {field.name: str(field.type) for field in fields(ERRORS[code])}  # type: ignore[arg-type]  # each is a dataclass
    details: dict[str, object] = {}
    for name, value in node.items():
        at = (*steps, str(name))
        if name not in types:
            faults.append((at_key(at), f"{name} is no field of {code}; {nearest(name, types)}"))
        elif types[name] == "SpecificationError":
            cause = _rejection(value, at, faults)
            details[str(name)] = {"error": cause.error, "details": cause.details}
        else:
            try:
                details[str(name)] = _READERS[types[name].removesuffix(" | None")](value)
            except ValueError as error:
                inner = error.faults if isinstance(error, numbers.ValueFaults) else [((), str(error))]
                faults.extend(((*at, *rest), message) for rest, message in inner)
    missing = [name for name in types if name not in node and not types[name].endswith("None")]
    if missing:
        faults.append((steps, f"{', '.join(missing)} missing: {code} says {', '.join(types)}"))
    return details


def _integers(node: Node) -> list[int]:
    if not isinstance(node, ListNode):
        raise ValueError("a list of integers is expected")
    return list(numbers.each(node, numbers.integer))


_KEYS = ("error", "details")
_NO_DETAILS = MappingNode()
_READERS: dict[str, Callable[[Node], object]] = {
    "int": numbers.integer,
    "float": numbers.number,
    "str": numbers.text,
    "tuple[int, ...]": _integers,
}
