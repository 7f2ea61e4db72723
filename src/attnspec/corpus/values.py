"""Values as JSON, everywhere alike: in goldens, in the protocol, in the bundle (fixture_format).

A tensor is `{dtype, shape, bits}`, an integer a string of decimal digits (so that 64 bits survive every
reader), a text `{text}`, a list of strings and a boolean are themselves.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from attnspec.corpus.request import Array, Request, Value
from attnspec.numeric.binary64 import from_bits, to_bits
from attnspec.numeric.formats import FORMATS

WHOLE_TENSOR = 4096
"""The largest number of elements that a golden writes out; a larger tensor is held by its digests."""

_DTYPES = (*FORMATS, "uint64", "uint32", "uint16", "uint8")
_INTEGER = re.compile("-?[0-9]{1,4000}")


def encode(value: Value) -> Any:
    """Return the JSON form of a value."""
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.name, "shape": list(value.shape), "bits": to_bits(value)}
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return str(value)
    return {"text": value} if isinstance(value, str) else list(value)


def decode(form: Any) -> Value:
    """Return the value of a JSON form; ValueError says why it is none."""
    match form:
        case {"text": str(text)}:
            return text
        case {"dtype": _, "shape": _, "bits": _}:
            return _tensor(form["dtype"], form["shape"], form["bits"])
        case bool():
            return form
        case str() if _INTEGER.fullmatch(form):
            return int(form)
        case list() if all(isinstance(item, str) for item in form):
            return tuple(form)
    raise ValueError(f"{form!r:.60}; {{dtype, shape, bits}}, {{text}}, decimal digits, names, true or false expected")


def _tensor(dtype: Any, shape: Any, bits: Any) -> Array:
    if dtype not in _DTYPES:
        raise ValueError(f"dtype {dtype!r:.60}; known: {', '.join(_DTYPES)}")
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"shape {shape!r:.60}; a list of sizes is expected, none negative")
    if not isinstance(bits, list) or not all(isinstance(row, str) for row in bits):
        raise ValueError(f"bits {bits!r:.60}; a list of strings is expected, one for each row of the last axis")
    try:
        return from_bits(bits, shape, dtype)
    except ImportError as error:
        raise ValueError(f"dtype {dtype}: {error}") from None


def encode_for_reading(value: Value) -> Any:
    """Return the JSON form with decimals beside the bits, or with digests in place of a large tensor's bits."""
    if not isinstance(value, np.ndarray):
        return encode(value)
    if value.size > WHOLE_TENSOR:
        return {"dtype": value.dtype.name, "shape": list(value.shape), **digests(value)}
    return encode(value) | {"values": _decimals(value)}


def digests(array: Array) -> dict[str, Any]:
    """Return the SHA-256 of the big-endian bytes, and the first 8 digits of each row's."""
    return {
        "sha256": hashlib.sha256(_big_endian(array)).hexdigest(),
        "rows": [row_digest(row) for row in array.reshape(-1, array.shape[-1])],
    }


def row_digest(row: Array) -> str:
    """Return the first 8 digits of the SHA-256 of a row's big-endian bytes."""
    return hashlib.sha256(_big_endian(row)).hexdigest()[:8]


def _big_endian(array: Array) -> bytes:
    return array.astype(array.dtype.newbyteorder(">")).tobytes()


def inputs_sha256(request: Request) -> str:
    """Return a digest of the operation, its expanded inputs and its upstream, by bits."""
    parts = [request.operation, _canonical(request.inputs), _canonical(request.upstream)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _canonical(values: Mapping[str, Value]) -> str:
    return json.dumps({name: encode(value) for name, value in values.items()}, sort_keys=True, separators=(",", ":"))


def _decimals(array: Array) -> list[str]:
    if array.size == 0:
        return []
    rows = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    return [" ".join(repr(number) for number in row) for row in rows.tolist()]
