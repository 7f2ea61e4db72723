"""Names of parameters: dot-separated segments of lower-case letters, digits and underscores."""

from __future__ import annotations

from collections.abc import Sequence

from attnspec.errors import DuplicateNameError, EmptyNameError, EmptySegmentError, NameByteError

_ALLOWED = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_DOT = ord(".")


def parameter_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names after checking each in turn, then that no two are equal.

    Args:
        names: parameter names in their order.

    Returns:
        the same names.

    Raises:
        EmptyNameError, EmptySegmentError, NameByteError: a name is malformed (see `check_name`).
        DuplicateNameError: two names are equal; both indices are given.

    Source:
        parameter_names.2, parameter_names.8, parameter_names.11
    """
    for name in names:
        check_name(name)
    check_unique(names)
    return tuple(names)


def check_name(name: str) -> None:
    """Check one name from the left; the first fault wins.

    Raises:
        EmptyNameError: the name has no byte.
        EmptySegmentError: a segment has no byte; the index is where it should begin.
        NameByteError: a byte of the UTF-8 text is not a-z, 0-9, `_` or `.`.

    Source:
        parameter_names.1, parameter_names.4 to parameter_names.7
    """
    text = name.encode("utf-8", "surrogatepass")
    if not text:
        raise EmptyNameError
    start = 0
    for index, byte in enumerate(text):
        if byte == _DOT:
            if index == start:
                raise EmptySegmentError(index=index)
            start = index + 1
        elif byte not in _ALLOWED:
            raise NameByteError(index=index, byte=byte)
    if start == len(text):
        raise EmptySegmentError(index=start)


def check_unique(names: Sequence[str]) -> None:
    """Raise DuplicateNameError for the first name that stood earlier in the list.

    Source:
        parameter_names.9, parameter_names.10
    """
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in seen:
            raise DuplicateNameError(name=name, first=seen[name], second=index)
        seen[name] = index
