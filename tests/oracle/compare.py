"""Is a computed answer where the truth says it must be? The bound is handed in."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from flint import arb, ctx

from attnspec.corpus.request import Request
from oracle import Balls, Enclosed, enclose, loose, loss

Bound = Callable[[Request], Mapping[str, Any]]
"""By full name (`output`, `gradients.key`, `loss`), an array of how far each element may be from the truth."""

OVERFLOW = arb(2) ** 1024 - arb(2) ** 970  # from here on binary64 rounds to infinity
UNDERFLOW = arb(2) ** -1040  # room for results that binary64 cannot tell from zero, and for their sums


def truth(request: Request) -> dict[str, Enclosed]:
    """Every output, gradient and the loss by its full name."""
    outputs, gradients = enclose(request.operation, request.inputs, request.upstream)
    named: dict[str, Enclosed] = dict(outputs)
    if request.upstream:
        named["loss"] = Balls((), [loss(outputs, request.upstream)])
    return named | {f"gradients.{name}": gradient for name, gradient in gradients.items()}


def crude_bound(request: Request) -> dict[str, Any]:
    """The radius of the same formulas at 46 bits: far more than 53 bits can lose, infinite where nothing is known."""
    outputs, gradients, total = loose(request.operation, request.inputs, request.upstream)
    named: dict[str, Enclosed] = {**outputs, "loss": Balls((), [total])}
    named |= {f"gradients.{name}": gradient for name, gradient in gradients.items()}
    return {name: _radii(value) for name, value in named.items() if isinstance(value, Balls)}


def departures(
    request: Request,
    answer: Mapping[str, Any],
    bound: Bound = crude_bound,
    expected: Mapping[str, Enclosed] | None = None,
) -> list[str]:
    """Where an answer (values by full name) is outside the bound; one line each, none for a good answer."""
    expected, limits = truth(request) if expected is None else expected, bound(request)
    lines = [
        f"{name}: {'missing' if name in expected else 'not asked for'}" for name in expected.keys() ^ answer.keys()
    ]
    for name in [name for name in expected if name in answer]:
        lines += _differences(name, expected[name], answer[name], limits.get(name))
    return lines


def _differences(name: str, expected: Enclosed, got: Any, limits: Any) -> list[str]:
    if not isinstance(expected, Balls):
        same = type(got) is type(expected) and got == expected
        return [] if same else [f"{name}: {got!r}, the truth is {expected!r}"]
    if got.shape != expected.shape or limits.shape != expected.shape:
        return [f"{name}: shape {got.shape}, bound {limits.shape}, the truth has {expected.shape}"]
    cells = zip(np.ndindex(got.shape), got.ravel().tolist(), expected.cells, limits.ravel().tolist(), strict=True)
    with ctx.workprec(256):
        return [
            f"{name}{list(index)}: {value!r} is not within {limit:.3g} of {ball.str(25)}"
            for index, value, ball, limit in cells
            if not _close(value, ball, limit)
        ]


def _close(value: float, ball: arb, limit: float) -> bool:
    if math.isnan(value):
        return bool(ball.is_nan())
    if math.isinf(value):
        return bool(ball >= OVERFLOW if value > 0 else ball <= -OVERFLOW)
    if not ball.is_finite():
        return False
    return limit == math.inf or bool(abs(ball - arb(value)) <= arb(limit) + UNDERFLOW)


def _radii(balls: Balls) -> Any:
    radii = [float(cell.rad()) if cell.is_finite() else math.inf for cell in balls.cells]
    return np.array(radii, dtype=np.float64).reshape(balls.shape)
