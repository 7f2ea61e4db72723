"""Text that a target or a file said, made fit for a line of a terminal, for JSON and for XML (conformance)."""

from __future__ import annotations

import re

LONGEST = 2000  # characters; a target may say anything
_BLANK = re.compile(r"[ \t\r\n]+")
_STRANGE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")


def legible(text: str, longest: int = LONGEST) -> str:
    """Return a text as one line; characters that steer a terminal or stand in no XML are written as escapes."""
    line = _STRANGE.sub(_escape, _BLANK.sub(" ", text).strip())
    beyond = len(line) - longest
    return line if beyond <= 0 else f"{line[:longest]}… and {beyond:,} more characters"


def _escape(strange: re.Match[str]) -> str:
    return strange.group().encode("unicode_escape", "surrogatepass").decode("ascii")
