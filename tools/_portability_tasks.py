"""What check_portability.py asks of every platform, and the bits that it must answer with.

That is every request that a golden comes from, and blocks of exponentials and products with what the plain forms give.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _portability_worker import form, full_names
from attnspec.conformance.protocol import run_line
from attnspec.corpus.fixture import Fixture, law_parts
from attnspec.corpus.goldens import GoldenError, golden_path, read_golden
from attnspec.corpus.laws import Perturbation
from attnspec.corpus.plans import plan
from attnspec.corpus.request import Answered, Array, Request, Value
from attnspec.corpus.selection import compile_selection
from attnspec.corpus.store import Corpus
from attnspec.corpus.values import WHOLE_TENSOR, inputs_sha256
from attnspec.numeric.exponential import exponential_definition
from attnspec.numeric.matrix_product import ordered_product, transpose
from attnspec.numeric.splitmix64 import draws, units
from attnspec.targets.reference import Reference

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Task:
    """A request, and the form of every value that must come of it.

    Args:
        name: the case; the law's part after a `#` where a law asks.
        request: what is asked.
        expected: forms by full name, as the worker gives them.
        plain: the values themselves, where they were computed here in plain form.
    """

    name: str
    request: Request
    expected: Mapping[str, Any]
    plain: Mapping[str, Value] | None = None

    @property
    def values(self) -> int:
        """How many values are compared."""
        shapes = (one.get("shape", []) if isinstance(one, dict) else [] for one in self.expected.values())
        return sum(map(math.prod, shapes))

    @cached_property
    def inputs(self) -> str:
        """The digest of the request, which a platform must have read as it was written."""
        return inputs_sha256(self.request)

    def large_here(self) -> Mapping[str, Array]:
        """Return the tensors of which only the digest is expected, computed here, where that gives the digest."""
        return self._large_here

    @cached_property
    def _large_here(self) -> dict[str, Array]:
        values = self.plain
        if values is None:
            answer = Reference().answer(self.request)
            values = dict(full_names(self.request, answer)) if isinstance(answer, Answered) else {}
        return {
            name: value
            for name, value in values.items()
            if isinstance(value, np.ndarray) and value.size > WHOLE_TENSOR and form(value) == self.expected.get(name)
        }


def corpus_tasks(corpus: Corpus, selection: str | None = None) -> Iterator[Task]:
    """Yield the tasks of every accepted case that is selected.

    Raises:
        FixtureFaults: a file is no fixture.
        GoldenError: a golden is missing, malformed, or made from other inputs.
        SelectionError: the selection is malformed.
    """
    matches = compile_selection(selection)
    for path in corpus.paths():
        if matches(corpus.case_id(path)):
            fixture = corpus.read_path(path)
            if fixture.rejects is None:
                yield from _of(fixture, corpus)


def _of(fixture: Fixture, corpus: Corpus) -> Iterator[Task]:
    golden = read_golden(golden_path(fixture.path))
    if golden.inputs_sha256 != inputs_sha256(fixture.request):
        raise GoldenError(f"{golden_path(fixture.path)}: made from other inputs; run tools/regenerate_goldens.py")
    forms = {name: _bare(one) for name, one in golden.flat().items() if not name.startswith("laws.")}
    yield Task(fixture.id, fixture.request, forms)
    for part, law in law_parts(fixture):
        if isinstance(law, Perturbation):
            forms = {name: _bare(one) for name, one in golden.parts["laws"][part].items()}
            yield Task(f"{fixture.id}#{part}", plan(law, fixture, corpus.read).runs[0], forms)


def _bare(one: Any) -> Any:
    """Return a form without decimals and without the digests of rows: bits and one digest say the same."""
    return {key: part for key, part in one.items() if key not in ("values", "rows")} if isinstance(one, dict) else one


def block_tasks() -> Iterator[Task]:
    """Yield requests of many tiles and blocks, with the answers of the definitions."""
    points = exponents()
    yield _block("exponentials", Request("exponential", {"x": points}), {"y": _defined(points)})
    left, right, upstream = _factors(2, 134, 270, 600)
    products = {"product": ordered_product(left, right)}
    gradients = {
        "left": ordered_product(upstream, transpose(right)),
        "right": ordered_product(transpose(left), upstream),
    }
    request = Request("matrix_product", {"left": left, "right": right}, {"product": upstream})
    yield _block("products", request, products, gradients)


def exponents() -> FloatArray:
    """Return arguments for every way that the exponential goes: fast, by pairs, by the definition, and subnormal.

    Returns:
        [N, 50], finite, infinite and NaN.
    """
    spread = -746.0 + 1456.0 * units(1, 12_000)
    subnormal = -745.2 + 37.0 * units(2, 4_000)
    tiny = (units(3, 2_000) - 0.5) * 2.0**-40
    special = [0.0, -0.0, 2.0**-53, -(2.0**-60), 5e-324, 709.78, 709.79, -708.4, -745.13, -745.14, -746.1, 1e308]
    special += [-1e308, math.inf, -math.inf, math.nan]
    points = np.concatenate([spread, subnormal, tiny, _near_ties(1_950), special])
    return np.resize(points, (len(points) + 49) // 50 * 50).reshape(-1, 50)


def _near_ties(count: int) -> FloatArray:
    """Return arguments whose exponential lies so near the middle of two numbers that the fast form leaves it open."""
    context = Context(prec=60)
    numbers = (draws(4, count) >> np.uint64(26)).tolist()  # below 2**38: so near to 0 the arguments stand close enough
    ties = [context.divide(Decimal(2**53 + 2 * number + 1), Decimal(2**53)) for number in numbers]
    return np.array([float(context.ln(tie)) for tie in ties])


def _defined(points: FloatArray) -> FloatArray:
    return np.array([exponential_definition(x) for x in points.reshape(-1).tolist()]).reshape(points.shape)


def _factors(batch: int, rows: int, inner: int, columns: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return two factors and an upstream, with zeros that tiles may skip and sizes that no tile divides."""
    left, right, upstream = (
        2.0 * units(seed, math.prod(shape)).reshape(shape) - 1.0
        for seed, shape in enumerate([(batch, rows, inner), (batch, inner, columns), (batch, rows, columns)], start=5)
    )
    left[:, : rows - 6, inner // 2 :] = 0.0
    right[:, :7] = -0.0
    upstream[:, :, : columns // 3] *= 2.0**-1040  # subnormal
    return left, right, upstream


def _block(
    name: str, request: Request, outputs: Mapping[str, Value], gradients: Mapping[str, FloatArray] | None = None
) -> Task:
    answer = Answered(outputs, gradients or {})
    plain = dict(full_names(request, answer))
    return Task(name, request, {name: form(value) for name, value in plain.items()}, plain)


def write_requests(tasks: Sequence[Task], place: Path) -> None:
    """Write the file that the worker reads; a task's number is its place in the list."""
    with place.open("wb") as file:
        for number, task in enumerate(tasks):
            file.write(run_line(number, task.request))
