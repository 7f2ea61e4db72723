"""The element behind a row that a digest found, by computing the case again in the plain form (fixture_format)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attnspec.corpus.expectations import answer_values
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.request import Answered, Array, Reply, Request, Value
from attnspec.corpus.values import row_digest

Again = Callable[[], Mapping[str, Value]]
"""Everything that the plain form answers, by full name; without entries where it refuses."""

_BY_PLAIN = "by the plain form, which has the golden's digest"
_CHANGED = "the plain form has the row that came: its definition has changed, or the golden"
_THIRD = "the plain form has neither this row nor the golden's"


def in_elements(
    found: Iterable[Mismatch], golden: Mapping[str, Any], values: Mapping[str, Value], again: Again
) -> list[Mismatch]:
    """Return mismatches with an element in place of a row, where the plain form knows what the row should be.

    Args:
        found: how an answer differs from a golden.
        golden: JSON forms by full name.
        values: the answer by full name.
        again: is asked once, and only where a row was found by its digest.
    """
    plain: Mapping[str, Value] | None = None
    named = []
    for mismatch in found:
        digest, row = _row(mismatch, golden.get(mismatch.tensor), values.get(mismatch.tensor))
        if row is not None:
            plain = again() if plain is None else plain
            mismatch = _element(mismatch, digest, row, plain.get(mismatch.tensor))
        named.append(mismatch)
    return named


def plain_values(fixture: Fixture, plain: Callable[[Request], Reply]) -> dict[str, Value]:
    """Return what the plain form answers to a fixture, by full name; nothing where it refuses."""
    answer = plain(fixture.request)
    return answer_values(fixture, answer) if isinstance(answer, Answered) else {}


def _row(mismatch: Mismatch, form: Any, value: Value | None) -> tuple[str, Array | None]:
    """Return the digest of the row that a mismatch names, and the row that came; none where it names no row."""
    if not (isinstance(form, dict) and "rows" in form and isinstance(value, np.ndarray)):
        return "", None
    if form.get("shape") != list(value.shape) or len(mismatch.index) != value.ndim - 1:
        return "", None
    return form["rows"][int(np.ravel_multi_index(mismatch.index, value.shape[:-1]))], value[mismatch.index]


def _element(mismatch: Mismatch, digest: str, row: Array, plain: Value | None) -> Mismatch:
    """Return the first element in which a row differs from the plain form's, or what speaks against that one."""
    if not isinstance(plain, np.ndarray) or plain.ndim != len(mismatch.index) + 1:
        return mismatch
    right = plain[mismatch.index]
    differences = compare_bits(mismatch.tensor, right, row)
    if not differences or row_digest(right) != digest:
        return replace(mismatch, remark=f"{mismatch.remark}; {_THIRD if differences else _CHANGED}")
    first = differences[0]
    remark = "; ".join(filter(None, (_BY_PLAIN, first.remark, mismatch.remark)))
    return replace(first, index=(*mismatch.index, *first.index), remark=remark)
