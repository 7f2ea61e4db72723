"""Causal attention forward and backward, in binary64: the reference against what a user would call instead.

torch and NumPy with BLAS run in processes of their own: their threads and their choice of memory then change nothing
for the others. On a busy machine two threads of BLAS may be far slower than one, which is no measure of NumPy: it runs
with one thread and with one for each core, and is told with those that are faster.
"""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

import _benchmark_numpy
import _benchmark_torch
from _benchmark_numpy import NAMES
from _benchmark_processes import Call, Elsewhere
from _benchmark_rows import Disagreement, Found, Missing, Row, Section, Target, compared
from _benchmark_timing import Bench, Here
from attnspec.autodiff import operations
from attnspec.cli.common import counted
from attnspec.conformance.error_bounds import error_bounds
from attnspec.corpus.request import Answered, Request
from attnspec.numeric.binary64 import equal_bits
from attnspec.numeric.matrix_product import ordered_product
from attnspec.targets.reference import Reference

FloatArray = NDArray[np.float64]
Results = Mapping[str, FloatArray]

NAME = "attention"
OURS, PLAIN, NUMPY, TORCH = "attnspec", "the plain loop", "NumPy with BLAS", "torch SDPA, 2 threads"
THREADS = 2
WIDTH = 64
TARGETS = {
    (16, PLAIN): Target(1.1),
    (1024, TORCH): Target(8.0),
    (2048, TORCH): Target(8.0),
}
MEMORY = {1024: Target(6.5, of_ratio=False), 2048: Target(6.5, of_ratio=False)}
LARGE = 8 * WIDTH  # from here on memory is told: arrays of T×T are most of it


@dataclass(frozen=True)
class Sizes:
    """How many tokens."""

    tokens: Sequence[int] = (16, 128, 512, 1024, 2048)


def measure(sizes: Sizes, bench: Bench) -> Found:
    """Yield times and memory of one head of width 64, for each number of tokens."""
    with ExitStack() as stack:
        has_torch = find_spec("torch") is not None
        torch = stack.enter_context(Elsewhere()) if has_torch else None
        numpys = {
            f"{NUMPY}, {counted(threads, 'thread')}": stack.enter_context(Elsewhere(threads))
            for threads in sorted({1, os.cpu_count() or 1})
        }
        for tokens in sizes.tokens:
            yield from _at(tokens, torch, numpys, bench)
    if not has_torch:
        yield Missing(NAME, "torch", "is not installed")


def request_of(tokens: int) -> Request:
    """Return causal attention over normally distributed numbers, with an upstream for the output."""
    draws = np.random.default_rng(tokens)
    arrays = {name: draws.standard_normal((1, tokens, WIDTH)) for name in (*NAMES, "output")}
    return Request("causal_attention", {name: arrays[name] for name in NAMES}, {"output": arrays["output"]})


def _at(tokens: int, torch: Elsewhere | None, numpys: Mapping[str, Elsewhere], bench: Bench) -> Found:
    bench.say(f"{NAME}: T = {tokens}")
    request = request_of(tokens)
    arrays: dict[str, Any] = {**request.inputs, **request.upstream}
    reference = partial(Reference().answer, request)
    plain = Here(PLAIN, partial(plainly, request))
    answers: dict[str, Results] = {PLAIN: results_of(plain.function())}
    calls: list[Call] = []
    for name, process in numpys.items():
        output = process.side(name, _benchmark_numpy.forward, arrays).result()
        calls.append(process.side(name, _benchmark_numpy.both_ways, arrays))
        answers[name] = {**output, **calls[-1].result()}
    if torch is not None:
        calls.append(torch.side(TORCH, _benchmark_torch.both_ways, arrays, THREADS))
        answers[TORCH] = calls[-1].result()
    must_agree(request, reference(), answers)
    samples = bench.compare([Here(OURS, reference), plain, *calls])
    row = (NAME, f"T = {tokens}, forward and backward")
    for side in (PLAIN, min(numpys, key=samples.median), *([TORCH] if torch else [])):
        yield compared(samples, row, (OURS, side), "ms", TARGETS.get((tokens, side)))
    if tokens >= LARGE:
        peak = peak_memory(reference) / (8 * tokens * tokens)
        yield Row(NAME, f"T = {tokens}, peak memory in T×T arrays", peak, target=MEMORY.get(tokens))


def plainly(request: Request) -> Any:
    """Return the reference's answer where every product is the loop that defines it."""
    with patch.object(operations, "product", _loop):
        return Reference().answer(request)


def _loop(left: FloatArray, right: FloatArray, wanted: object = None) -> FloatArray:
    return ordered_product(left, right)


def results_of(answer: Any) -> Results:
    """Return output and gradients of an answer by full name."""
    assert isinstance(answer, Answered), answer
    output = answer.outputs["output"]
    assert isinstance(output, np.ndarray)
    return {"output": output, **{f"gradients.{name}": one for name, one in answer.gradients.items()}}


def must_agree(request: Request, truth: Any, answers: Mapping[str, Results]) -> None:
    """Raise Disagreement where a side computes something else.

    The plain loop gives the same bits; the others stay within the bounds that are derived for this case.
    """
    ours, bounds = results_of(truth), error_bounds(request, truth)
    for side, results in answers.items():
        for name, got in results.items():
            is_near = bool((np.abs(got - ours[name]) <= bounds[name]).all())
            if not (equal_bits(got, ours[name]) if side == PLAIN else is_near):
                raise Disagreement(f"{side} gives other numbers for {name}")


def peak_memory(function: Callable[[], Any]) -> int:
    """Return the most bytes that are held while a function runs, beside those that were held before."""
    gc.collect()
    tracemalloc.start()
    try:
        kept = function()
        peak = tracemalloc.get_traced_memory()[1]
        del kept
        return peak
    finally:
        tracemalloc.stop()


SECTION = Section(NAME, measure, Sizes(), Sizes((16, 128, 1024)))
