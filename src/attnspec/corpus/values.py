"""Values as JSON, everywhere alike: in goldens, in the protocol, in the bundle (fixture_format).

A tensor is `{dtype, shape, bits}`, an integer a string of decimal digits (so that 64 bits survive every
reader), a text `{text}`, a list of strings and a boolean are themselves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from attnspec.corpus.request import Array, Request, Value
from attnspec.numeric.binary64 import from_bits, to_bits

WHOLE_TENSOR = 4096
"""The largest number of elements that a golden writes out; a larger tensor is held by its digests."""


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
    """Return the value of a JSON form; ValueError or KeyError where it is none."""
    if isinstance(form, dict):
        if "text" in form:
            return str(form["text"])
        return from_bits(form["bits"], form["shape"], form["dtype"])
    if isinstance(form, bool):
        return form
    return int(form) if isinstance(form, str) else tuple(form)


def encode_for_reading(value: Value) -> Any:
    """Return the JSON form with decimals beside the bits, or with digests in place of a large tensor's bits."""
    form = encode(value)
    if not isinstance(value, np.ndarray):
        return form
    if value.size > WHOLE_TENSOR:
        return {"dtype": form["dtype"], "shape": form["shape"], **digests(value)}
    return form | {"values": _decimals(value)}


def digests(array: Array) -> dict[str, Any]:
    """Return the SHA-256 of the big-endian bytes, and the first 8 digits of each row's."""
    data = array.astype(array.dtype.newbyteorder(">"))
    rows = data.reshape(-1, array.shape[-1])
    return {
        "sha256": hashlib.sha256(data.tobytes()).hexdigest(),
        "rows": [hashlib.sha256(row.tobytes()).hexdigest()[:8] for row in rows],
    }


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
