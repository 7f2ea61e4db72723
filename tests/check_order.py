"""Which checks of an operation a case would fail, each looked at alone, whatever the others say.

Each operation has its checks in the order of its page. Several may fail at once; which one then wins
is what the rejected cases show, and `pairs` says which two they have told apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

import plain
from attnspec.corpus.fixture import Fixture
from attnspec.corpus.vocabulary import OPERATIONS

Inputs = Mapping[str, Any]
Checks = dict[str, Callable[[Fixture], bool]]
"""From the name of a check to whether a case fails it, in the order in which they are made."""


def failing(fixture: Fixture) -> list[str]:
    """The checks that the case fails, in order; the first is the refusal that its page promises."""
    return [name for name, fails in CHECKS[fixture.operation.name].items() if fails(fixture)]


def pairs(fixtures: list[Fixture]) -> dict[tuple[str, str], str]:
    """From two checks that fail together, the winner first, to a case that shows it."""
    found: dict[tuple[str, str], str] = {}
    for fixture in fixtures:
        first, *others = failing(fixture)
        found |= {(first, other): fixture.id for other in others if (first, other) not in found}
    return found


def every_pair(operation: str) -> Iterator[tuple[str, str]]:
    return combinations(CHECKS[operation], 2)


# Leaves and shapes


def leaf(name: str) -> Callable[[Fixture], bool]:
    """An input, or an upstream under its own name, that is not finite."""

    def fails(fixture: Fixture) -> bool:
        given = dict(fixture.request.inputs) | {f"{key}_upstream": v for key, v in fixture.request.upstream.items()}
        return name in given and not bool(np.isfinite(given[name]).all())

    return fails


def leaves(operation: str) -> Checks:
    kinds = OPERATIONS[operation]
    tensors = [name for name, kind in kinds.inputs.items() if kind.is_tensor]
    return {f"leaf {name}": leaf(name) for name in [*tensors, *(f"{name}_upstream" for name in kinds.upstreams)]}


def shape(fixture: Fixture, name: str) -> tuple[int, ...]:
    value = fixture.request.inputs[name]
    assert isinstance(value, np.ndarray)
    return value.shape


def rank(name: str, wrong: Callable[[int], bool]) -> Callable[[Fixture], bool]:
    return lambda fixture: wrong(len(shape(fixture, name)))


def sizes(fixture: Fixture, axis: int, *names: str) -> list[int]:
    """The sizes of an axis, counted from the end, of the operands that have it."""
    return [shape(fixture, name)[axis] for name in names if len(shape(fixture, name)) >= -axis]


def differ(axis: int, *names: str) -> Callable[[Fixture], bool]:
    return lambda fixture: len(set(sizes(fixture, axis, *names))) > 1


def empty(axis: int, *names: str) -> Callable[[Fixture], bool]:
    return lambda fixture: 0 in sizes(fixture, axis, *names)


def released(name: str) -> Callable[[Fixture], bool]:
    return lambda fixture: name in fixture.request.released


# What is computed: by the plain reference, which refuses nothing


def overflow(*names: str) -> Callable[[Fixture], bool]:
    """One of these outputs, or gradients (`gradients.key`), is not finite."""
    return lambda fixture: any(not math.isfinite(cell) for name in names for cell in computed(fixture).get(name, []))


def computed(fixture: Fixture) -> dict[str, list[float]]:
    """The cells of outputs and gradients; nothing where the shapes allow no computation."""
    checks = CHECKS[fixture.operation.name]
    if any(fails(fixture) for name, fails in checks.items() if name.split()[0] in BEFORE_COMPUTING):
        return {}
    inputs, upstream = map(in_plain, (fixture.request.inputs, fixture.request.upstream))
    outputs, gradients = plain.answer(fixture.operation.name, inputs, upstream)
    named = outputs | {f"gradients.{name}": value for name, value in gradients.items()}
    return {name: value.cells for name, value in named.items() if isinstance(value, plain.Array)}


def in_plain(values: Inputs) -> dict[str, Any]:
    return {
        name: plain.Array(value.shape, value.ravel().tolist()) if isinstance(value, np.ndarray) else value
        for name, value in values.items()
    }


def gradients(operation: str) -> Checks:
    return {
        f"overflow {name}": overflow(name) for name in (f"gradients.{key}" for key in OPERATIONS[operation].gradients)
    }


BEFORE_COMPUTING = frozenset(
    [
        "rank",
        "batch",
        "token",
        "no_tokens",
        "width",
        "zero",
        "not_square",
        "fan_in",
        "fan_out",
        "input_widths",
        "output_widths",
        "leading",
        "mask",
    ]
)


# The operations


def head(operation: str) -> Checks:
    operands = [name for name in ("query", "key", "value") if name in OPERATIONS[operation].inputs]
    mixes = "value" in operands
    mask: Checks = {"mask": lambda fixture: max(sizes(fixture, -2, "query")) > 2**14}
    return (
        leaves(operation)
        | {f"rank {name}": rank(name, lambda found: found != 3) for name in operands}
        | {
            "batch": differ(-3, *operands),
            "token": differ(-2, *operands),
            "no_tokens": empty(-2, *operands),
            "zero query": empty(-1, "query"),
            "zero key": empty(-1, "key"),
            "width": differ(-1, "query", "key"),
        }
        | ({"zero value": empty(-1, "value")} if mixes else {})
        | {"released query": released("query"), "released key": released("key"), "overflow raw": overflow("raw_scores")}
        | (mask if operation == "causal_attention" else {})
        | ({"released value": released("value"), "overflow output": overflow("output")} if mixes else {})
        | gradients(operation)
    )


def causal_softmax() -> Checks:
    return (
        leaves("causal_softmax")
        | {
            "rank": rank("scores", lambda found: found < 2),
            "not_square": lambda fixture: len(set(shape(fixture, "scores")[-2:])) > 1,
            "no_tokens": lambda fixture: 0 in shape(fixture, "scores")[-2:],
            "released scores": released("scores"),
        }
        | gradients("causal_softmax")
    )


def matrix_product() -> Checks:
    def leading(fixture: Fixture) -> bool:
        left, right = shape(fixture, "left"), shape(fixture, "right")
        return min(len(left), len(right)) >= 2 and left[:-2] != right[:-2]

    def inner(fixture: Fixture) -> bool:
        left, right = shape(fixture, "left"), shape(fixture, "right")
        return bool(left and right) and left[-1] != (right[-2] if len(right) > 1 else right[0])

    return (
        leaves("matrix_product")
        | {f"rank {name}": rank(name, lambda found: found < 2) for name in ("left", "right")}
        | {"leading": leading, "width": inner, "overflow product": overflow("product")}
        | gradients("matrix_product")
    )


def weight(name: str, label: str) -> Checks:
    return {
        f"rank {label}": rank(name, lambda found: found != 2),
        f"fan_in {label}": lambda fixture: shape(fixture, name)[:1] == (0,),
        f"fan_out {label}": lambda fixture: len(shape(fixture, name)) > 1 and shape(fixture, name)[-1] == 0,
    }


def input_width(by: str) -> Callable[[Fixture], bool]:
    def fails(fixture: Fixture) -> bool:
        given, rows = shape(fixture, "input"), shape(fixture, by)
        return bool(given and rows) and given[-1] != rows[0]

    return fails


def linear_projection() -> Checks:
    return (
        leaves("linear_projection")
        | weight("weight", "weight")
        | {
            "rank input": rank("input", lambda found: found < 1),
            "width input": input_width("weight"),
            "released input": released("input"),
            "released weight": released("weight"),
            "overflow output": overflow("output"),
        }
        | gradients("linear_projection")
    )


BRANCHES = ("query", "key", "value")
WEIGHTS = tuple(f"{branch}_weight" for branch in BRANCHES)


def branches_agree() -> Checks:
    def axis(number: int) -> Callable[[Fixture], bool]:
        def fails(fixture: Fixture) -> bool:
            shapes = [shape(fixture, name) for name in WEIGHTS]
            return len({found[number] for found in shapes if len(found) > number}) > 1

        return fails

    return {"input_widths": axis(0), "output_widths": axis(1)}


def qkv_projection() -> Checks:
    checks = leaves("qkv_projection")
    for branch in BRANCHES:
        checks |= weight(f"{branch}_weight", branch)
    checks |= branches_agree()
    checks |= {
        "rank input": rank("input", lambda found: found != 3),
        "width input": input_width("query_weight"),
        "released input": released("input"),
    }
    for branch in BRANCHES:
        checks |= {f"released {branch}_weight": released(f"{branch}_weight"), f"overflow {branch}": overflow(branch)}
    return checks | gradients("qkv_projection")


def qkv_parameters() -> Checks:
    checks = leaves("qkv_parameters")
    for number, branch in enumerate(BRANCHES):
        checks |= {f"name {branch}": bad_name(lambda fixture, at=number: fixture.request.inputs["names"][at])}  # type: ignore[misc]
        checks |= weight(f"{branch}_weight", branch)
    return checks | branches_agree() | {"duplicate": lambda fixture: duplicates(fixture.request.inputs["names"])}


def qkv_initialization() -> Checks:
    return {
        "name": bad_name(lambda fixture: f"{fixture.request.inputs['prefix']}.query.weight"),
        "fan_in": lambda fixture: fixture.request.inputs["model_width"] < 1,
        "fan_out": lambda fixture: fixture.request.inputs["head_width"] < 1,
    }


def bad_name(of: Callable[[Fixture], str]) -> Callable[[Fixture], bool]:
    return lambda fixture: bool(name_faults(of(fixture)))


def name_faults(name: str) -> set[str]:
    allowed = set("abcdefghijklmnopqrstuvwxyz0123456789_.")
    return {
        *(["empty"] if not name else []),
        *(["segment"] if name and "" in name.split(".") else []),
        *(["byte"] if set(name) - allowed else []),
    }


def duplicates(names: Any) -> bool:
    return len(set(names)) < len(names)


def parameter_names() -> Checks:
    return {
        "name": lambda fixture: any(map(name_faults, fixture.request.inputs["names"])),
        "duplicate": lambda fixture: duplicates(fixture.request.inputs["names"]),
    }


def fans() -> Checks:
    return {
        "fan_in": lambda fixture: fixture.request.inputs["fan_in"] < 1,
        "fan_out": lambda fixture: fixture.request.inputs["fan_out"] < 1,
    }


def causal_mask() -> Checks:
    def square(fixture: Fixture) -> int:
        tokens = fixture.request.inputs["tokens"]
        assert isinstance(tokens, int)
        return tokens * tokens

    return {
        "negative": lambda fixture: fixture.request.inputs["tokens"] < 0,
        "index range": lambda fixture: square(fixture) > 2**63 - 1,
        "memory": lambda fixture: square(fixture) > 2**28,
    }


def gradient_check() -> Checks:
    def tolerance(fixture: Fixture) -> bool:
        found = float(fixture.request.inputs["tolerance"])  # type: ignore[arg-type]
        return not 0 <= found < math.inf

    shapes: Checks = {"shapes": lambda fixture: shape(fixture, "analytic") != shape(fixture, "numeric")}
    elements = {f"leaf {name}": leaf(name) for name in ("analytic", "numeric")}
    return shapes | elements | {"tolerance": tolerance}


CHECKS: dict[str, Checks] = {
    **{name: head(name) for name in ("scaled_scores", "attention", "causal_attention")},
    "causal_softmax": causal_softmax(),
    "matrix_product": matrix_product(),
    "linear_projection": linear_projection(),
    "qkv_projection": qkv_projection(),
    "qkv_parameters": qkv_parameters(),
    "qkv_initialization": qkv_initialization(),
    "parameter_names": parameter_names(),
    "xavier_uniform": fans(),
    "causal_mask": causal_mask(),
    "gradient_check": gradient_check(),
}
