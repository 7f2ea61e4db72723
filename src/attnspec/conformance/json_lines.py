"""One JSON object on a line: written plainly, read strictly, its fields by name and kind (conformance)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from attnspec.numeric.binary64 import to_bits

Kind = TypeVar("Kind", str, int, float, bool, dict[str, Any], tuple[str, ...])

_WORDS: dict[Any, str] = {
    str: "a text",
    tuple: "a list of texts",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    dict: "an object",
}
_AS_READ: dict[Any, Any] = {tuple: list, float: int | float}
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode  # made once: messages are small and many
_NOT_FINITE = {".inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}


class ProtocolFault(Exception):
    """A line that is no message; the text says what was wrong with it."""


def write(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line; arrays in it become tensors."""
    return "".join([*_pieces(message), "\n"]).encode()


def read(line: bytes) -> dict[str, Any]:
    """Return the object that a line holds; ProtocolFault where it holds none, or one key twice."""
    shown = repr(line[:80].decode(errors="replace").strip())
    try:
        message = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise ProtocolFault(f"not UTF-8: {shown}") from None
    except (ValueError, RecursionError):
        raise ProtocolFault(f"not JSON: {shown}") from None
    if not isinstance(message, dict):
        raise ProtocolFault(f"not a JSON object: {shown}")
    return message


def field(message: Mapping[str, Any], name: str, kind: type[Kind], default: Kind | None = None) -> Kind:
    """Return a field of a message; ProtocolFault where it has another kind, or is missing and has no default."""
    if name not in message:
        if default is None:
            raise ProtocolFault(f"{name} is missing; {_WORDS[kind]} is expected")
        return default
    value: Any = message[name]
    fits = isinstance(value, _AS_READ.get(kind, kind))
    if kind is not bool and isinstance(value, bool):
        fits = False  # Python takes a truth for an integer
    if not fits or (kind is tuple and not all(isinstance(item, str) for item in value)):
        raise ProtocolFault(f"{name} is {json.dumps(value):.60}; {_WORDS[kind]} is expected")
    return cast(Kind, tuple(value) if kind is tuple else value)


def plain(value: object) -> Any:
    """Return details as JSON has them: numbers that are not finite as text, as fixtures have them."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return next((text for text, number in _NOT_FINITE.items() if repr(number) == repr(value)), value)
    if isinstance(value, str | int | None):
        return value
    return [plain(item) for item in value] if isinstance(value, Sequence) else str(value)


def numbers(value: Any) -> Any:
    """Return details with the numbers that are not finite read back from their text."""
    if isinstance(value, dict):
        return {name: numbers(item) for name, item in value.items()}
    return _NOT_FINITE.get(value, value) if isinstance(value, str) else value


def _pieces(value: object) -> Iterator[str]:
    """Yield JSON. Digits need no escapes: looking for some would cost as much as all the rest of the way."""
    if isinstance(value, np.ndarray):
        yield f'{{"dtype":"{value.dtype.name}","shape":{list(value.shape)},"bits":['
        if value.size:
            yield from ('"', '","'.join(to_bits(value)), '"')
        yield "]}"
    elif isinstance(value, Mapping):
        for index, (name, item) in enumerate(value.items()):
            yield f"{',' if index else '{'}{_encode(name)}:"
            yield from _pieces(item)
        yield "}" if value else "{}"
    else:
        yield _encode(value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ProtocolFault(f"the key {max(names, key=names.count)!r:.60} stands twice in one object")
    return found


def _no_number(text: str) -> float:
    raise ProtocolFault(f"{text} is no number of JSON")
