"""Goldens: the complete output of every accepted fixture, bit for bit (fixture_format)."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from attnspec.corpus.mismatch import Mismatch, compare_bits
from attnspec.corpus.request import Answered, Request, Value
from attnspec.corpus.values import decode, encode_for_reading, inputs_sha256
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.numeric.matrix_product import inner_product

FORMAT = 1
SUFFIX = ".golden.json"


class GoldenError(Exception):
    """A golden that is missing, or no golden; the message is one line that names the file and the cure."""


@dataclass(frozen=True)
class Golden:
    """What the file holds: JSON forms by part (`outputs`, `gradients`, `loss`, `laws`) and the inputs' digest."""

    case: str
    inputs_sha256: str
    parts: Mapping[str, Any] = field(default_factory=dict)

    def flat(self) -> dict[str, Any]:
        """Return every JSON form by its full name: `output`, `gradients.key`, `loss`, `laws.perturbation.output`."""
        return dict(_flatten(self.parts))


def make_golden(case: str, request: Request, answer: Answered, laws: Mapping[str, Mapping[str, Value]]) -> Golden:
    """Return the golden of an answer; `laws` holds the outputs of perturbed runs by law part."""
    parts: dict[str, Any] = {"outputs": forms_of(answer.outputs)}
    if request.upstream:
        parts["loss"] = encode_for_reading(np.array(loss(request, answer)))
        parts["gradients"] = forms_of(answer.gradients)
    if laws:
        parts["laws"] = {part: forms_of(outputs) for part, outputs in laws.items()}
    return Golden(case, inputs_sha256(request), parts)


def loss(request: Request, answer: Answered) -> float:
    """Return the sum of <output, upstream> over the outputs in the order of the operation's table, from +0.0."""
    total = 0.0
    for name in OPERATIONS[request.operation].upstreams:
        if name in request.upstream:
            output, upstream = answer.outputs[name], request.upstream[name]
            assert isinstance(output, np.ndarray)
            total = total + inner_product(output, upstream)
    return total


def forms_of(values: Mapping[str, Value]) -> dict[str, Any]:
    """Return the JSON form of each value, as a golden holds it."""
    return {name: encode_for_reading(value) for name, value in values.items()}


def compare_forms(golden: Mapping[str, Any], answer: Mapping[str, Any]) -> list[Mismatch]:
    """Return where an answer's forms, by full name, differ from a golden's in any way."""
    found: list[Mismatch] = []
    for name in dict.fromkeys([*golden, *answer]):
        if name not in answer:
            found.append(Mismatch(name, (), "a value", "nothing"))
        elif name not in golden:
            found.append(Mismatch(name, (), "nothing", "a value", remark="the golden lacks it"))
        elif golden[name] != answer[name]:
            found += _compare_form(name, golden[name], answer[name])
    return found


def _compare_form(name: str, expected: Any, got: Any) -> list[Mismatch]:
    """Return where two unequal forms differ: the element of a whole tensor, the row of one held by digests."""
    if _has_rows(expected) and _has_rows(got):
        rows = [row for row, pair in enumerate(zip(expected["rows"], got["rows"], strict=False)) if pair[0] != pair[1]]
        if expected.get("shape") != got["shape"] or not rows:
            return [Mismatch(name, (), *_first_difference(expected, got))]
        place = tuple(map(int, np.unravel_index(rows[0], got["shape"][:-1])))
        count = f"{len(rows)} rows differ" if len(rows) > 1 else "no other row differs"
        return [Mismatch(name, place, "this row's digest", "another", remark=count)]
    try:
        left, right = decode(expected), decode(got)
    except (KeyError, TypeError, ValueError) as error:
        return [Mismatch(name, (), "a value", "something that is none", remark=str(error))]
    return compare_bits(name, left, right) or [
        Mismatch(name, (), *_first_difference(expected, got), remark="the same bits, written otherwise")
    ]


def _has_rows(form: Any) -> bool:
    return isinstance(form, dict) and isinstance(form.get("rows"), list)


def _first_difference(expected: Any, got: Any) -> tuple[str, str]:
    """Return the first entry of two forms that differs, as text."""
    if isinstance(expected, dict) and isinstance(got, dict):
        key = next((key for key in expected | got if expected.get(key) != got.get(key)), "")
        return f"{key} {expected.get(key)!r:.80}", f"{key} {got.get(key)!r:.80}"
    return f"{expected!r:.80}", f"{got!r:.80}"


def golden_path(fixture: Path) -> Path:
    """Return where a fixture's golden stands: beside it."""
    return fixture.with_name(fixture.stem + SUFFIX)


def read_golden(path: Path) -> Golden:
    """Read a golden; GoldenError where it is missing or malformed."""
    try:
        document = json.loads(path.read_bytes())
        if document["format"] != FORMAT:
            raise GoldenError(f"{path}: format {document['format']!r:.80}, this attnspec reads {FORMAT}")
        parts = {name: document[name] for name in ("outputs", "loss", "gradients", "laws") if name in document}
        golden = Golden(document["case"], document["inputs_sha256"], parts)
        golden.flat()
        return golden
    except FileNotFoundError:
        raise GoldenError(f"{path}: the golden is missing; run tools/regenerate_goldens.py") from None
    except OSError as error:
        raise GoldenError(f"{path}: the golden cannot be read: {error.strerror}") from None
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise GoldenError(f"{path}: not a golden ({reason:.80}); run tools/regenerate_goldens.py --update") from None


def render(golden: Golden) -> bytes:
    """Return the file's bytes: keys in a fixed order, one row of the last axis per line."""
    document = {"format": FORMAT, "case": golden.case, "inputs_sha256": golden.inputs_sha256, **golden.parts}
    return (_render(document, 0) + "\n").encode()


def write_golden(path: Path, golden: Golden) -> None:
    """Write the file whole or not at all, under a draft's name of its own until it is complete."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(render(golden))
        draft.chmod(0o644)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _flatten(parts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    flat = list(parts.get("outputs", {}).items())
    if "loss" in parts:
        flat.append(("loss", parts["loss"]))
    flat += [(f"gradients.{name}", form) for name, form in parts.get("gradients", {}).items()]
    for law, outputs in parts.get("laws", {}).items():
        flat += [(f"laws.{law}.{name}", form) for name, form in outputs.items()]
    return flat


def _render(value: Any, depth: int) -> str:
    inner = "\n" + " " * (depth + 1)
    if isinstance(value, dict) and value:
        lines = [f"{json.dumps(key)}: {_render(item, depth + 1)}" for key, item in value.items()]
        return "{" + inner + f",{inner}".join(lines) + "\n" + " " * depth + "}"
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], str):
        return "[" + inner + f",{inner}".join(map(json.dumps, value)) + "\n" + " " * depth + "]"
    return json.dumps(value)
