"""The text of a file, with what YAML's parsers read differently, or people cannot see, as faults (fixture_format)."""

from __future__ import annotations

import re
from bisect import bisect_right

LARGEST = 1 << 20  # bytes
Place = tuple[int, int, str]
"""Line, column and message of a fault."""

# Characters that are not printable, LS, PS, a lone CR; and directives, which begin a line with %.
_STRANGE = re.compile(
    "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]|\r(?!\n)|^%[^\n\r]*",
    re.MULTILINE,
)
_BYTE_ORDER_MARK = "\ufeff"
_NAMES = {"\t": "a tab; use spaces", _BYTE_ORDER_MARK: "a byte order mark; save the file without it"}


class UnreadableError(Exception):
    """Reading cannot go on: the rest of the file has no certain meaning."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.place = line, column, message


def readable(data: bytes) -> tuple[str, list[Place]]:
    """Return the text, with spaces in place of characters and directives that do not belong there, and those.

    Raises:
        UnreadableError: the file is too large or is not UTF-8.
    """
    text = _decoded(data)
    places = []
    if text.startswith(_BYTE_ORDER_MARK):  # invisible, and no column in any editor
        places.append((1, 1, _NAMES[_BYTE_ORDER_MARK]))
        text = text[1:]
    if not _STRANGE.search(text):
        return text, places
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    for strange in _STRANGE.finditer(text):
        line = bisect_right(starts, strange.start())
        places.append((line, strange.start() - starts[line - 1] + 1, _message(strange.group())))
    return _STRANGE.sub(lambda strange: " " * len(strange.group()), text), places


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST:
        raise UnreadableError(1, 1, f"{len(data)} bytes, of {LARGEST} at most; large inputs are written as formulas")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise UnreadableError(line, column, message) from None


def _message(strange: str) -> str:
    if strange.startswith("%"):
        return "a line that begins with %; directives are not read"
    return _NAMES.get(strange, f"the character U+{ord(strange):04X}; use printable characters and plain line ends")
