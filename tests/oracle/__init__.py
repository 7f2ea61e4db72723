"""An independent truth: rigorous enclosures of every output and gradient, from the mathematical definition.

Inputs are exact binary64 numbers, everything after them real: no order of sums, no rounding. Ball
arithmetic (python-flint) carries the error, and precision is raised until no radius matters. Nothing
of src takes part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import arb, ctx

from oracle import draws, formulas, heads
from oracle.balls import Balls, Enclosed, Times, Upstream, exact, loose_product, product, settled

__all__ = ["Balls", "Enclosed", "backward", "enclose", "forward", "loose", "loss"]

LADDER = (192, 512, 1536, 4608)  # bits; the later steps are for huge scores and for cancellation to zero
LOOSE_BITS = 46


def enclose(
    operation: str, inputs: Mapping[str, Any], upstream: Mapping[str, Any]
) -> tuple[dict[str, Enclosed], dict[str, Balls]]:
    """Outputs and gradients by name; every radius is far below an ulp of its cell.

    Args:
        operation: a name of the vocabulary.
        inputs: NumPy arrays, integers, texts and names by input.
        upstream: NumPy arrays by output; gradients are computed where at least one is named.
    """
    for bits in LADDER:
        with ctx.workprec(bits):
            outputs, gradients = _evaluate(operation, inputs, upstream, product)
        tensors = [value for value in (*outputs.values(), *gradients.values()) if isinstance(value, Balls)]
        extended = operation in ("exponential", "causal_mask")  # infinities and NaN are answers there
        if extended or all(settled(cell) for tensor in tensors for cell in tensor.cells):
            return outputs, gradients
    raise ArithmeticError(f"{operation}: {LADDER[-1]} bits do not settle every cell")


def loose(
    operation: str, inputs: Mapping[str, Any], upstream: Mapping[str, Any]
) -> tuple[dict[str, Enclosed], dict[str, Balls], arb]:
    """The same formulas and the loss at 46 bits: the radii are a crude bound for arithmetic of 53 bits."""
    with ctx.workprec(LOOSE_BITS):
        outputs, gradients = _evaluate(operation, inputs, upstream, loose_product)
    return outputs, gradients, loss(outputs, upstream, LOOSE_BITS, loose_product)


def loss(
    outputs: Mapping[str, Enclosed], upstream: Mapping[str, Any], bits: int = LADDER[1], times: Times = product
) -> arb:
    """The sum of <output, upstream> over the outputs that have an upstream."""
    total = arb(0)
    with ctx.workprec(bits):
        for name, given in upstream.items():
            output = outputs[name]
            assert isinstance(output, Balls)
            row = Balls((1, len(output.cells)), output.cells).matrix()
            column = Balls((len(output.cells), 1), exact(given).cells).matrix()
            total += times(row, column)[0, 0]
    return total


def _evaluate(
    operation: str, inputs: Mapping[str, Any], upstream: Mapping[str, Any], times: Times
) -> tuple[dict[str, Enclosed], dict[str, Balls]]:
    if operation == "gradient_check":
        return draws.gradient_check(**inputs), {}
    given = {name: exact(value) for name, value in upstream.items()}
    balls = {name: exact(value) if hasattr(value, "shape") else value for name, value in inputs.items()}
    outputs = forward(operation, balls, times)
    return outputs, backward(operation, balls, given, times) if given else {}


def forward(operation: str, inputs: Mapping[str, Any], times: Times = product) -> dict[str, Enclosed]:
    """Outputs of inputs that are balls themselves, at the working precision."""
    match operation:
        case "exponential" | "causal_mask" | "causal_softmax":
            outputs: dict[str, Enclosed] = getattr(formulas, operation)(**inputs)
        case "matrix_product":
            outputs = formulas.matrix_product(**inputs, times=times)
        case "linear_projection":
            outputs = formulas.projections(inputs["input"], {"output": inputs["weight"]}, times)
        case "qkv_projection":
            outputs = formulas.projections(inputs["input"], _weights(inputs), times)
        case "scaled_scores":
            outputs = heads.scaled_scores(**inputs, times=times)
        case "attention" | "causal_attention":
            outputs = heads.Head(operation == "causal_attention").outputs(**inputs, times=times)
        case _:
            outputs = getattr(draws, operation)(**inputs)
    return outputs


def backward(operation: str, inputs: Mapping[str, Any], upstream: Upstream, times: Times = product) -> dict[str, Balls]:
    """Gradients of inputs that are balls themselves, at the working precision."""
    match operation:
        case "matrix_product":
            return formulas.matrix_product_gradients(**inputs, upstream=upstream, times=times)
        case "linear_projection":
            weights = {"output": inputs["weight"]}
            shared, each = formulas.projection_gradients(inputs["input"], weights, upstream, times)
            return {"input": shared, "weight": each["output"]}
        case "qkv_projection":
            shared, each = formulas.projection_gradients(inputs["input"], _weights(inputs), upstream, times)
            return {"input": shared} | {f"{branch}_weight": gradient for branch, gradient in each.items()}
        case "scaled_scores":
            return heads.scaled_scores_gradients(**inputs, upstream=upstream, times=times)
        case "causal_softmax":
            return formulas.causal_softmax_gradients(**inputs, upstream=upstream)
        case "attention" | "causal_attention":
            return heads.Head(operation == "causal_attention").gradients(**inputs, upstream=upstream, times=times)
    raise AssertionError(f"{operation} has no gradients")


def _weights(inputs: Mapping[str, Any]) -> dict[str, Balls]:
    return {branch: inputs[f"{branch}_weight"] for branch in formulas.BRANCHES}
