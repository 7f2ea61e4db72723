"""Single rows of a head, enclosed: of a case that is too long to be enclosed as a whole."""

from __future__ import annotations

from typing import Any

from flint import arb, arb_mat, ctx

from attnspec.corpus.request import Request
from oracle.balls import Balls, Times, exact, loose_product, product, settled
from oracle.formulas import softmax, softmax_gradient, visible

LADDER = (192, 1536)  # bits; the second step is for weights that are as good as zero
LOOSE_BITS = 46  # as for whole cases: the radii are a crude bound for arithmetic of 53 bits


def head_row(request: Request, batch: int, row: int) -> dict[str, Balls]:
    """The scores, probabilities, output and query gradient of one row, over the keys that it sees.

    Args:
        request: of `attention` or `causal_attention`, with an upstream for the output.
        batch: the batch element.
        row: the query.
    """
    for bits in LADDER:
        enclosed = _row(request, batch, row, bits, product)
        if all(settled(cell) for balls in enclosed.values() for cell in balls.cells):
            return enclosed
    raise ArithmeticError(f"{LADDER[-1]} bits do not settle every cell")


def crude_row(request: Request, batch: int, row: int) -> dict[str, list[arb]]:
    """For each cell of such a row, how far arithmetic of 53 bits may be from it."""
    loose = _row(request, batch, row, LOOSE_BITS, loose_product)
    return {name: [cell.rad() for cell in balls.cells] for name, balls in loose.items()}


def _row(request: Request, batch: int, row: int, bits: int, times: Times) -> dict[str, Balls]:
    causal = request.operation == "causal_attention"
    tokens, width = (int(size) for size in request.inputs["query"].shape[1:])  # type: ignore[union-attr]
    seen = visible(row, tokens, causal)
    query = _matrix(request.inputs["query"], batch, slice(row, row + 1))
    key, value = (_matrix(request.inputs[name], batch, slice(seen)) for name in ("key", "value"))
    sent = _matrix(request.upstream["output"], batch, slice(row, row + 1))
    with ctx.workprec(bits):
        scale = 1 / arb(width).sqrt()
        raw = times(query, key.transpose())
        weights = softmax(raw * scale, causal=False)
        flow = softmax_gradient(weights, times(sent, value.transpose()), causal=False)
        found = {
            "raw_scores": raw,
            "scaled_scores": raw * scale,
            "probabilities": weights,
            "output": times(weights, value),
            "gradients.query": times(flow * scale, key),
        }
        return {name: Balls((matrix.ncols(),), matrix.entries()) for name, matrix in found.items()}


def _matrix(array: Any, batch: int, rows: slice) -> arb_mat:
    return exact(array[batch, rows]).matrix()
