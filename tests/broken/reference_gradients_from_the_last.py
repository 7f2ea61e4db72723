"""Gradients are looked at from the last parameter to the first."""

from typing import Any

from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = (
    "scaled_scores.16",
    "attention.19",
    "causal_attention.23",
    "linear_projection.16",
    "qkv_projection.21",
    "matrix_product.14",
)


TARGET = reference_copy()
modules = TARGET.modules


def backward(tape: Any, upstream: Any, retain: bool = False) -> None:
    tape._parameters.reverse()
    right(tape, upstream, retain)


right = modules.autodiff_tape.Tape.backward


modules.autodiff_tape.Tape.backward = backward
