"""Random heads, computed carelessly in many arithmetics: how much of their error bounds they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arithmetics import Arithmetic, AtRandom, InType
from attnspec.conformance.error_bounds import error_bounds
from attnspec.conformance.narrow import rounded_request
from attnspec.conformance.rounding import BINARY64, Rounding, rounding_of
from attnspec.corpus.request import Answered, Request
from attnspec.numeric.formats import FORMATS, FloatFormat
from attnspec.targets.reference import Reference
from sloppy import Sloppy

AT_ONCE = 8  # heads of one request, which share sizes and freedoms
ABSENT, NORMAL = 2.0**-1000, 2.0**-14  # least normal numbers: never met, and that of float16
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """An arithmetic, made anew for each head, and the bounds that it is held to."""

    rounding: Rounding
    made: Callable[[np.random.Generator], Arithmetic]
    form: FloatFormat = FORMATS["float64"]


@dataclass(frozen=True)
class Shares:
    """By tensor and by head, the largest share of a bound that was used, and the share of elements without one."""

    used: dict[str, FloatArray]
    unknown: dict[str, FloatArray]

    @property
    def beyond(self) -> dict[str, float]:
        """The largest shares above one; one that is no number is infinite."""
        largest = {name: float(np.nan_to_num(shares, nan=np.inf).max()) for name, shares in self.used.items()}
        return {name: share for name, share in largest.items() if share > 1.0}

    @property
    def medians(self) -> dict[str, float]:
        return {name: float(np.median(shares)) for name, shares in self.used.items()}


def at_random(unit: float, sums: float, tiny: float = ABSENT) -> Family:
    """Return results and sums that are rounded at random by up to these units, and may be flushed below `tiny`."""
    inside = Rounding(sums + BINARY64.unit, ABSENT) if sums < unit else None
    rounding = Rounding(unit + BINARY64.unit, tiny, sums=inside)
    return Family(rounding, lambda generator: AtRandom(generator, unit, sums, tiny, bool(generator.integers(2))))


def in_types(results: str, sums: str) -> Family:
    """Return real arithmetic in these types, flushed or not."""
    form, wide = FORMATS[results], FORMATS[sums]
    rounding = rounding_of(results, sums)
    return Family(
        rounding, lambda generator: InType(form.dtype, wide.dtype, form.tiny, bool(generator.integers(2))), form
    )


FAMILIES = {
    "random": lambda: at_random(2.0**-20, 2.0**-20),
    "random, wider sums": lambda: at_random(2.0**-12, 2.0**-20),
    "random, flushed": lambda: at_random(2.0**-12, 2.0**-12, NORMAL),
    "random, flushed, wider sums": lambda: at_random(2.0**-12, 2.0**-20, NORMAL),
    "float32": lambda: in_types("float32", "float32"),
    "float32 in float64": lambda: in_types("float32", "float64"),
    "float16": lambda: in_types("float16", "float16"),
    "float16 in float32": lambda: in_types("float16", "float32"),
    "bfloat16": lambda: in_types("bfloat16", "bfloat16"),
    "bfloat16 in float32": lambda: in_types("bfloat16", "float32"),
}


def wild_heads(generator: np.random.Generator, at_once: int = AT_ONCE) -> Request:
    """Return heads of random sizes: scores from thousandths to hundreds, values and upstreams large and small."""
    most = (33, 65, 33) if generator.integers(8) == 0 else (9, 9, 9)
    tokens, width, value_width = (int(generator.integers(1, end)) for end in most)
    size = 10.0 ** generator.uniform(-2, 1.5, (at_once, 1, 1))
    shift = generator.choice([0.0, 0.0, 10.0], (at_once, 1, 1))
    heads = _heads(generator, at_once, tokens, width, value_width)
    heads.inputs["query"] *= size  # type: ignore[index]
    heads.inputs["key"] *= size ** generator.uniform(0, 1, (at_once, 1, 1))  # type: ignore[index]
    heads.inputs["value"] += shift  # type: ignore[index]
    heads.inputs["value"] *= 10.0 ** generator.choice([0, 0, 0, 0, -4, -2, 2], (at_once, 1, 1))  # type: ignore[index]
    heads.upstream["output"][...] *= 10.0 ** generator.choice([0, 0, 0, -4, 3], (at_once, 1, 1))
    return heads


def typical_heads(generator: np.random.Generator) -> Request:
    """Return heads of two to eight tokens, everything of size one."""
    tokens, width, value_width = (int(generator.integers(2, 9)) for _ in range(3))
    return _heads(generator, AT_ONCE, tokens, width, value_width)


def _heads(generator: np.random.Generator, at_once: int, tokens: int, width: int, value_width: int) -> Request:
    inputs = {
        "query": generator.normal(size=(at_once, tokens, width)),
        "key": generator.normal(size=(at_once, tokens, width)),
        "value": generator.normal(size=(at_once, tokens, value_width)),
    }
    operation = str(generator.choice(["attention", "causal_attention"]))
    return Request(operation, inputs, {"output": generator.normal(size=(at_once, tokens, value_width))})


def trials(
    family: Family, count: int, seed: int, heads: Callable[[np.random.Generator], Request] = wild_heads
) -> Shares:
    """Compute so many requests carelessly, and return the shares of their bounds that they use."""
    generator = np.random.default_rng(seed)
    used: dict[str, list[FloatArray]] = {}
    unknown: dict[str, list[FloatArray]] = {}
    for _ in range(count):
        shares = one_trial(family, rounded_request(heads(generator), family.form), generator)
        for name in shares.used:
            used.setdefault(name, []).append(shares.used[name])
            unknown.setdefault(name, []).append(shares.unknown[name])
    return Shares(*({name: np.concatenate(parts) for name, parts in found.items()} for found in (used, unknown)))


def one_trial(
    family: Family, request: Request, generator: np.random.Generator, exact: dict[str, FloatArray] | None = None
) -> Shares:
    """Compute the heads of one request carelessly; compare with the reference, or with what is more exact."""
    truth = Reference().answer(request)
    assert isinstance(truth, Answered)
    bounds = error_bounds(request, truth, family.rounding)
    exact = exact or {name: np.asarray(value, dtype=np.float64) for name, value in truth.outputs.items()} | {
        f"gradients.{name}": array for name, array in truth.gradients.items()
    }
    exact["row_sums.probabilities"] = np.ones(exact["probabilities"].shape[:-1])
    used, unknown = {}, {}
    with np.errstate(all="ignore"):
        head = Sloppy(generator, family.made(generator))
        got = head.answer(request.inputs, request.upstream["output"], visible(request))  # type: ignore[arg-type]
        for name, array in got.items():
            says_nothing = np.isinf(bounds[name])
            distance = np.abs(array.astype(np.float64) - exact[name])
            share = np.where(says_nothing | (distance == 0.0), 0.0, distance / bounds[name])
            used[name] = share.reshape(len(array), -1).max(axis=-1)
            unknown[name] = says_nothing.reshape(len(array), -1).mean(axis=-1)
    return Shares(used, unknown)


def visible(request: Request) -> NDArray[np.bool_]:
    tokens = np.asarray(request.inputs["query"]).shape[1]
    seen = np.ones((tokens, tokens), dtype=np.bool_)
    return np.tril(seen) if request.operation == "causal_attention" else seen
