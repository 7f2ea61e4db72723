"""What scalars and lists of them hold: the rules of YAML 1.2, and two exact forms for numbers (fixture_format)."""

from __future__ import annotations

import math
import re
import struct
import sys
from collections.abc import Callable
from typing import TypeVar

from attnspec.corpus.nodes import ListNode, MappingNode, Node, ScalarNode, Steps

T = TypeVar("T")

_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_HEX_INTEGER = re.compile(r"0x[0-9a-fA-F]+")
_HEX_FLOAT = re.compile(r"[-+]?0x(?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:p[-+]?[0-9]{1,9})?")
_BITS = re.compile(r"bits:([0-9a-fA-F]{16})")
_NOT_FINITE = {
    sign + spelling: value
    for sign, value in (("", math.inf), ("+", math.inf), ("-", -math.inf))
    for spelling in (".inf", ".Inf", ".INF")
} | dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan)
_NULL = ("", "~", "null", "Null", "NULL")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_FORMS = '.inf, "0x1.8p-3" and "bits:3fe0000000000000" are numbers too'


class ValueFaults(ValueError):
    """Faults inside a value: each with its steps from the value and a message."""

    def __init__(self, faults: list[tuple[Steps, str]]) -> None:
        super().__init__("; ".join(message for _, message in faults))
        self.faults = faults


def number(node: Node) -> float:
    """A binary64 number: a decimal rounded once, `.inf`, `-.inf`, `.nan`, a hex float or `bits:`."""
    if not isinstance(node, ScalarNode):
        raise ValueError(f"{kind_of(node)} where a number is expected")
    if node.plain:
        if _DECIMAL.fullmatch(node):
            value = float(node)
            if math.isinf(value):
                raise ValueError(f"{_short(node)} overflows: the largest number is {sys.float_info.max}")
            return value
        if node in _NOT_FINITE:
            return _NOT_FINITE[node]
    if _HEX_FLOAT.fullmatch(node):
        try:
            return float.fromhex(node)
        except OverflowError:
            raise ValueError(f"{_short(node)} overflows: the largest number is 0x1.fffffffffffffp+1023") from None
    if bits := _BITS.fullmatch(node):
        return float(struct.unpack(">d", bytes.fromhex(bits[1]))[0])
    raise ValueError(_no_number(node, "a number", _FORMS))


def integer(node: Node) -> int:
    """An integer of 64 bits, with or without sign: decimal, or `"0x..."`."""
    if not isinstance(node, ScalarNode):
        raise ValueError(f"{kind_of(node)} where an integer is expected")
    if len(node) > 40 or not (_HEX_INTEGER.fullmatch(node) or (node.plain and _INTEGER.fullmatch(node))):
        raise ValueError(_no_number(node, "an integer", '12 and "0x1f" are integers'))
    value = int(node, 16 if node.startswith("0x") else 10)
    if not -(2**63) <= value < 2**64:
        raise ValueError(f"{node} does not fit into 64 bits")
    return value


def word(node: Node) -> int:
    """An integer of 64 bits without sign."""
    value = integer(node)
    if value < 0:
        raise ValueError(f"{value} is negative; an unsigned integer is expected")
    return value


def count(node: Node) -> int:
    """An index, a size or a number of things: an integer that an array can have."""
    value = integer(node)
    if not 0 <= value < 2**31:
        raise ValueError(f"{value} is no index or size; they go from 0 to {2**31 - 1}")
    return value


def boolean(node: Node) -> bool:
    if isinstance(node, ScalarNode) and node.plain and node in _BOOLEANS:
        return _BOOLEANS[node]
    raise ValueError(f"{kind_of(node)} where true or false is expected")


def text(node: Node) -> str:
    """A string: quoted, or plain where it reads as nothing else."""
    if not isinstance(node, ScalarNode):
        raise ValueError(f"{kind_of(node)} where text is expected")
    if node.plain:
        if node in _NULL:
            raise ValueError("nothing stands here; text is expected")
        if node in _BOOLEANS or node in _NOT_FINITE or _DECIMAL.fullmatch(node) or _HEX_INTEGER.fullmatch(node):
            raise ValueError(f"{_short(node)} is no text unless it is quoted")
    return str(node)


def names(node: Node) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(node, ListNode):
        raise ValueError(f"{kind_of(node)} where a list of names is expected")
    return each(node, text)


def each(items: ListNode, read: Callable[[Node], T]) -> tuple[T, ...]:
    """Read a list that is one value: where any item has a fault, none is taken, and every fault is told."""
    result: list[T] = []
    faults: list[tuple[Steps, str]] = []
    for index, item in enumerate(items):
        try:
            result.append(read(item))
        except ValueError as error:
            faults.append(((index,), str(error)))
    if faults:
        raise ValueFaults(faults)
    return tuple(result)


def kind_of(node: Node) -> str:
    """Say what stands there, for a message."""
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, MappingNode):
        return "a mapping"
    return f"the text {_short(node)}" if node else "nothing"


def _short(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def _no_number(node: ScalarNode, wanted: str, forms: str) -> str:
    if node.plain and node in _NULL:
        return f"nothing stands here; {wanted} is expected"
    if not node.plain and _DECIMAL.fullmatch(node):
        return f'"{_short(node)}" is text; without quotes it is a number'
    return f"{_short(node)} is not {wanted}; {forms}"
