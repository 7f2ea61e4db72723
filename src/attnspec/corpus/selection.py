"""`-k`: substrings of a case id joined by `and`, `or`, `not` and parentheses, as in pytest."""

from __future__ import annotations

import re
from collections.abc import Callable

Matcher = Callable[[str], bool]
DEEPEST = 50
_TOKEN = re.compile(r"\s*(?:([()])|([^\s()]+))")


class SelectionError(ValueError):
    """The expression cannot be read; the message says where and what would be right."""


def compile_selection(expression: str | None) -> Matcher:
    """Return a test of case ids; without an expression every id matches.

    Raises:
        SelectionError: the expression is malformed.
    """
    if expression is None:
        return lambda case: True
    tokens = [bracket or word for bracket, word in _TOKEN.findall(expression)]
    parser = _Parser(expression, tokens)
    matcher = parser.either()
    if parser.rest:
        raise parser.fault(f"{parser.rest[0]!r} is not expected here")
    return matcher


class _Parser:
    """Recursive descent: `either` is parts joined by `or`, `both` by `and`, `one` a substring, `not` or brackets."""

    def __init__(self, expression: str, tokens: list[str]) -> None:
        self.expression = expression
        self.rest = tokens
        self.depth = 0

    def either(self) -> Matcher:
        parts = [self.both()]
        while self._take("or"):
            parts.append(self.both())
        return lambda case: any(part(case) for part in parts)

    def both(self) -> Matcher:
        parts = [self.one()]
        while self._take("and"):
            parts.append(self.one())
        return lambda case: all(part(case) for part in parts)

    def one(self) -> Matcher:
        self.depth += 1
        if self.depth > DEEPEST:
            raise SelectionError(f"-k: nested more than {DEEPEST} deep; a few brackets are enough")
        try:
            return self._one()
        finally:
            self.depth -= 1

    def _one(self) -> Matcher:
        if self._take("not"):
            inner = self.one()
            return lambda case: not inner(case)
        if self._take("("):
            inner = self.either()
            if not self._take(")"):
                raise self.fault("a bracket is not closed")
            return inner
        if not self.rest or self.rest[0] in ("and", "or", ")"):
            raise self.fault("a part of a case id is missing")
        word = self.rest.pop(0)
        return lambda case: word.lower() in case.lower()

    def fault(self, what: str) -> SelectionError:
        return SelectionError(
            f"-k {self.expression!r}: {what}; write parts of case ids joined by and, or, not and brackets"
        )

    def _take(self, token: str) -> bool:
        if self.rest and self.rest[0] == token:
            self.rest.pop(0)
            return True
        return False
