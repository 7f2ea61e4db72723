"""The clauses of the arithmetic that no single case can show: orders, forbidden functions, the machine."""

from __future__ import annotations

import ast
import hashlib
import math
import operator
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import attnspec
from attnspec.corpus.goldens import loss
from attnspec.corpus.request import Answered, Request
from attnspec.corpus.values import digests
from attnspec.corpus.vocabulary import OPERATIONS
from attnspec.numeric.binary64 import bits_of, equal_bits, float_of, to_bits
from attnspec.numeric.exponential import exponential_definition
from attnspec.numeric.matrix_product import inner_product, ordered_product, ordered_sum, transpose
from attnspec.numeric.self_check import Arithmetic, MachineError, check_arithmetic, check_machine
from attnspec.numeric.splitmix64 import units
from attnspec.targets.reference import Reference

FloatArray = NDArray[np.float64]
SWALLOWED = np.array([2.0**53, 1.0, 1.0, -(2.0**53)])  # in order 0, in pairs 1, from the right or exactly 2


def random(seed: int, *shape: int) -> FloatArray:
    return 2.0 * units(seed, math.prod(shape)).reshape(shape) - 1.0


def answer(operation: str, inputs: dict[str, FloatArray], **upstream: FloatArray) -> Answered:
    reply = Reference().answer(Request(operation, inputs, upstream))
    assert isinstance(reply, Answered)
    return reply


def total(terms: list[float]) -> float:
    """A sum as the specification has it, in plain Python."""
    result = 0.0
    for term in terms:
        result = result + term
    return result


def tensor(values: object) -> FloatArray:
    return np.array(values, dtype=np.float64)


# Sums and products


@pytest.mark.clause("arithmetic.1")
def test_sums_run_from_zero_in_index_order() -> None:
    assert ordered_sum(SWALLOWED) == 0.0
    values = random(1, 5, 97)
    expected = tensor([total(row) for row in values.tolist()])
    assert equal_bits(ordered_sum(values), expected)
    for twin in (np.sum(values[:, ::-1], axis=1), tensor([math.fsum(row) for row in values.tolist()])):
        assert not equal_bits(twin, expected)  # another order, and an exact sum, are caught here


@pytest.mark.clause("arithmetic.1")
def test_products_are_rounded_before_they_are_added() -> None:
    left, right = random(2, 3, 4, 11), random(3, 3, 11, 5)
    expected = [
        [[total([left[b, m, k] * right[b, k, n] for k in range(11)]) for n in range(5)] for m in range(4)]
        for b in range(3)
    ]
    assert equal_bits(ordered_product(left, right), tensor(expected))
    assert inner_product(left[:, :, :5], left[:, :, 5:10]) == total(
        [a * b for a, b in zip(left[:, :, :5].reshape(-1), left[:, :, 5:10].reshape(-1), strict=True)]
    )


@pytest.mark.clause("arithmetic.2")
def test_no_sum_is_negative_zero() -> None:
    minus = -np.zeros((2, 3))
    assert equal_bits(ordered_sum(minus), np.zeros(2))
    assert equal_bits(ordered_sum(np.empty((2, 0))), np.zeros(2))
    assert equal_bits(ordered_product(minus, np.ones((3, 2))), np.zeros((2, 2)))
    assert equal_bits(ordered_product(np.empty((2, 0)), np.empty((0, 3))), np.zeros((2, 3)))
    assert bits_of(inner_product(minus, np.ones((2, 3)))) == bits_of(0.0)


@pytest.mark.clause("arithmetic.3")
def test_subnormal_products_are_kept_and_rounded_to_even() -> None:
    smallest = tensor([[5e-324]])
    product = ordered_product(smallest, tensor([[0.5, 1.0, 1.5, 2.5]]))
    assert to_bits(product) == ["0000000000000000 0000000000000001 0000000000000002 0000000000000002"]


@pytest.mark.clause("arithmetic.4")
def test_nothing_is_fused() -> None:
    factor = 1.0 + 2.0**-27
    assert ordered_product(tensor([[-(1.0 + 2.0**-26), factor]]), tensor([[1.0], [factor]])) == 0.0


@pytest.mark.clause("arithmetic.7")
def test_strides_and_byte_order_change_nothing() -> None:
    left, right = random(4, 2, 6, 7), random(5, 2, 7, 6)
    expected = ordered_product(left, right)
    twice = np.repeat(left, 2, axis=-1)[..., ::2]
    assert equal_bits(ordered_product(twice, transpose(transpose(right).copy())), expected)
    assert equal_bits(ordered_product(left[:, ::-1], right)[:, ::-1].copy(), expected)
    assert equal_bits(ordered_product(left.astype(">f8"), right.astype(">f8")).astype(np.float64), expected)
    assert equal_bits(ordered_product(left[1:], right[1:]), expected[1:])


# What the reference may call

FORBIDDEN_CALLS = {
    *("sum", "fsum", "sumprod", "cumsum", "mean", "average", "trace", "norm"),
    *("dot", "vdot", "inner", "matmul", "tensordot", "einsum", "fma"),
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "power", "float_power", "hypot", "tanh"),
}


def forbidden(source: str) -> Iterator[str]:
    """Name the calls and operators that would leave the bits to a library."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield "@"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _constant(node):
            yield "**"
        if isinstance(node, ast.Attribute) and node.attr in FORBIDDEN_CALLS and ast.unparse(node.value) != "context":
            yield node.attr  # decimal's exponential, of a context, is the definition's
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            yield node.func.id


def _constant(node: ast.AST) -> bool:
    return not any(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in ast.walk(node))


def reference_sources() -> list[Path]:
    root = Path(attnspec.__file__).parent
    return [path for layer in ("numeric", "autodiff", "attention") for path in sorted((root / layer).glob("*.py"))]


@pytest.mark.clause("arithmetic.5", "arithmetic.6")
@pytest.mark.parametrize("path", reference_sources(), ids=lambda path: path.name)
def test_the_reference_calls_no_library_function_that_rounds_as_it_likes(path: Path) -> None:
    assert not list(forbidden(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "source",
    [
        "np.exp(x)",
        "a @ b",
        "np.sum(a)",
        "a.sum(axis=0)",
        "sum(terms)",
        "math.exp(x)",
        "x ** 3",
        "np.einsum('ij,jk', a, b)",
    ],
)
def test_a_forbidden_call_is_caught(source: str) -> None:
    assert list(forbidden(source))


# Forward and backward


@pytest.mark.clause("arithmetic.8")
def test_scores_are_multiplied_by_a_scale_that_is_rounded_twice() -> None:
    query, key = random(6, 1, 8, 3), random(7, 1, 8, 3)
    outputs = answer("scaled_scores", {"query": query, "key": key}).outputs
    scale = 1.0 / math.sqrt(3.0)
    raw = ordered_product(query, transpose(key))
    assert outputs["scale"] == scale
    assert equal_bits(array_of(outputs["scaled_scores"]), raw * scale)
    for twin in (raw / math.sqrt(3.0), ordered_product(query * scale, transpose(key))):
        assert not equal_bits(array_of(outputs["scaled_scores"]), twin)


def array_of(value: object) -> FloatArray:
    assert isinstance(value, np.ndarray)
    return value


def row_probabilities(row: list[float]) -> list[float]:
    largest = max(row)
    first = row.index(largest)
    exponentials = [exponential_definition(score - largest) for score in row]
    denominator = 1.0 + total([term for index, term in enumerate(exponentials) if index != first])
    return [term / denominator for term in exponentials]


def in_plain_key_order(row: list[float]) -> list[float]:
    exponentials = [exponential_definition(score - max(row)) for score in row]
    return [term / total(exponentials) for term in exponentials]


def from_one(row: list[float]) -> list[float]:
    exponentials = [exponential_definition(score - max(row)) for score in row]
    first = row.index(max(row))
    denominator = 1.0
    for index, term in enumerate(exponentials):
        denominator = denominator + (0.0 if index == first else term)
    return [term / denominator for term in exponentials]


@pytest.mark.clause("arithmetic.9", "arithmetic.10")
def test_the_denominator_adds_the_maximum_last() -> None:
    scores = 3.0 * random(8, 12, 12)
    scores[5, 2] = scores[5, 4] = 2.9999  # a maximum that is attained twice
    probabilities = array_of(answer("causal_softmax", {"scores": scores}).outputs["probabilities"])
    rows = scores.tolist()

    def causal(rule: Callable[[list[float]], list[float]]) -> FloatArray:
        return tensor([rule(row[: i + 1]) + [0.0] * (11 - i) for i, row in enumerate(rows)])

    assert equal_bits(probabilities, causal(row_probabilities))
    for twin in (in_plain_key_order, from_one):
        assert not equal_bits(probabilities, causal(twin))


@pytest.mark.clause("arithmetic.12", "arithmetic.13")
def test_the_gradient_of_scores_subtracts_an_ordered_sum_and_is_set_to_zero_where_blocked() -> None:
    scores, upstream = random(9, 9, 9), random(10, 9, 9)
    reply = answer("causal_softmax", {"scores": scores}, probabilities=upstream)
    probabilities = array_of(reply.outputs["probabilities"]).tolist()
    expected = np.zeros((9, 9))
    for i, (row, flowing) in enumerate(zip(probabilities, upstream.tolist(), strict=True)):
        c = total([a * da for a, da in zip(row[: i + 1], flowing[: i + 1], strict=True)])
        expected[i, : i + 1] = [a * (da - c) for a, da in zip(row[: i + 1], flowing[: i + 1], strict=True)]
    assert equal_bits(array_of(reply.gradients["scores"]), expected)
    by_formula = array_of(reply.outputs["probabilities"]) * (upstream - 0.5)
    assert np.signbit(by_formula[expected == 0.0]).any()  # what setting the zeros prevents


@pytest.mark.clause("arithmetic.14")
def test_the_scale_comes_before_the_products_on_the_way_back() -> None:
    query, key, upstream = random(11, 1, 5, 3), random(12, 1, 5, 3), random(13, 1, 5, 5)
    gradients = answer("scaled_scores", {"query": query, "key": key}, scaled_scores=upstream).gradients
    scale = 1.0 / math.sqrt(3.0)
    assert equal_bits(array_of(gradients["query"]), ordered_product(upstream * scale, key))
    assert equal_bits(array_of(gradients["key"]), ordered_product(transpose(upstream * scale), query))
    assert not equal_bits(array_of(gradients["query"]), ordered_product(upstream, key) * scale)


@pytest.mark.clause("arithmetic.11", "arithmetic.15", "arithmetic.16")
def test_a_shared_sequence_gathers_query_key_and_value_in_this_order() -> None:
    sequence = random(14, 2, 3, 4)
    weights = {f"{branch}_weight": random(15 + i, 4, 2) for i, branch in enumerate(("query", "key", "value"))}
    upstream = {branch: random(20 + i, 2, 3, 2) for i, branch in enumerate(("query", "key", "value"))}
    reply = answer("qkv_projection", {"input": sequence, **weights}, **upstream)
    shares = [ordered_product(upstream[b].reshape(6, 2), transpose(weights[f"{b}_weight"])) for b in upstream]
    gathered = ((np.zeros((6, 4)) + shares[0]) + shares[1]) + shares[2]
    newest_first = ((np.zeros((6, 4)) + shares[2]) + shares[1]) + shares[0]
    assert equal_bits(array_of(reply.gradients["input"]), gathered.reshape(2, 3, 4))
    assert not equal_bits(gathered, newest_first)

    rows = ordered_product(transpose(sequence.reshape(6, 4)), upstream["key"].reshape(6, 2))
    assert equal_bits(array_of(reply.gradients["key_weight"]), rows)
    by_batch = ordered_sum(np.moveaxis(ordered_product(transpose(sequence), upstream["key"]), 0, -1))
    assert not equal_bits(by_batch, rows)

    request = Request("qkv_projection", {"input": sequence, **weights}, upstream)
    inner = [inner_product(array_of(reply.outputs[branch]), upstream[branch]) for branch in upstream]
    assert loss(request, reply) == ((0.0 + inner[0]) + inner[1]) + inner[2]


@pytest.mark.clause("arithmetic.17")
def test_an_intermediate_starts_from_its_own_upstream() -> None:
    query, key = random(30, 1, 4, 3), random(31, 1, 4, 3)
    raw_upstream, scaled_upstream = random(32, 1, 4, 4), random(33, 1, 4, 4)
    both = answer(
        "scaled_scores", {"query": query, "key": key}, scaled_scores=scaled_upstream, raw_scores=raw_upstream
    ).gradients
    flowing = (0.0 + raw_upstream) + scaled_upstream * (1.0 / math.sqrt(3.0))
    assert equal_bits(array_of(both["query"]), ordered_product(flowing, key))


@pytest.mark.clause("arithmetic.18")
def test_an_upstream_on_a_blocked_cell_counts_for_scores_and_not_for_probabilities() -> None:
    inputs = {name: random(40 + i, 1, 3, 2) for i, name in enumerate(("query", "key", "value"))}
    blocked = np.zeros((1, 3, 3))
    blocked[0, 0, 2] = 7.0
    ignored = answer("causal_attention", inputs, probabilities=blocked).gradients
    assert all(equal_bits(array_of(gradient), np.zeros((1, 3, 2))) for gradient in ignored.values())
    for name, factor in (("raw_scores", 1.0), ("scaled_scores", 1.0 / math.sqrt(2.0))):
        counted = answer("causal_attention", inputs, **{name: blocked}).gradients
        assert equal_bits(array_of(counted["query"])[0, 0], 0.0 + (7.0 * factor) * inputs["key"][0, 2])


@pytest.mark.clause("arithmetic.19")
def test_scale_and_mask_take_no_upstream() -> None:
    taken = {name for operation in OPERATIONS.values() for name in operation.upstreams}
    assert not taken & {"scale", "mask"}
    assert {"raw_scores", "scaled_scores", "probabilities", "output"} <= taken


# The machine

PLAIN = Arithmetic("plain", operator.mul, operator.add, lambda a, b, c: a * b + c)


def flushed(value: float) -> float:
    return math.copysign(0.0, value) if abs(value) < 2.0**-1022 else value


def extended(exact: Fraction) -> float:
    """Round to 64 bits first, as the x87 unit does, then to binary64."""
    if not exact:
        return 0.0
    unit = Fraction(2) ** (math.frexp(float(exact))[1] - 64)
    return float(round(exact / unit) * unit)


def towards_zero(a: float, b: float) -> float:
    rounded = a + b
    too_far = abs(Fraction(rounded)) > abs(Fraction(a) + Fraction(b))
    return math.nextafter(rounded, 0.0) if too_far else rounded


FAULTS = {
    "takes subnormal numbers for zero": replace(PLAIN, multiply=lambda a, b: flushed(a) * flushed(b)),
    "plain takes subnormal numbers for zero": replace(PLAIN, add=lambda a, b: flushed(a + b)),
    "flushes subnormal results": replace(PLAIN, multiply=lambda a, b: 0.0 if b == 0.5 and a < 1.0 else a * b),
    "uses extended precision": replace(PLAIN, add=lambda a, b: extended(Fraction(a) + Fraction(b))),
    "does not round to nearest": replace(PLAIN, add=towards_zero),
    "fuses": replace(PLAIN, multiply_add=lambda a, b, c: float(Fraction(a) * Fraction(b) + Fraction(c))),
}


@pytest.mark.clause("arithmetic.20")
def test_this_machine_passes_and_soon() -> None:
    check_machine()
    check_arithmetic(PLAIN)
    begin = time.perf_counter()
    for _ in range(20):
        check_machine()
    assert (time.perf_counter() - begin) / 20 < 0.005  # 0.1 ms measured; the rest is for a busy machine


@pytest.mark.clause("arithmetic.20", "arithmetic.21")
@pytest.mark.parametrize("fault", FAULTS)
def test_broken_arithmetic_is_named_in_one_line(fault: str) -> None:
    with pytest.raises(MachineError, match=fault) as error:
        check_arithmetic(FAULTS[fault])
    assert "\n" not in str(error.value)


@pytest.mark.clause("arithmetic.22")
def test_bits_and_digests_are_big_endian_and_row_major() -> None:
    values = tensor([[1.0, -2.0], [5e-324, 0.0]])
    assert to_bits(values) == ["3ff0000000000000 c000000000000000", "0000000000000001 0000000000000000"]
    data = bytes.fromhex("".join(to_bits(values)).replace(" ", ""))
    assert digests(values)["sha256"] == hashlib.sha256(data).hexdigest()
    assert digests(transpose(transpose(values).copy())) == digests(values)
    assert bits_of(float_of("8000000000000001")) == "8000000000000001"
