"""Of several released operands the last one is reported."""

from typing import Any

from copies import reference_copy

from attnspec.errors import ReleasedOperandError

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = ("linear_projection.17", "qkv_projection.22", "scaled_scores.15", "attention.18", "causal_attention.22")


TARGET = reference_copy()
modules = TARGET.modules


def record(tape: Any, operation: str, operands: Any, compute: Any, backward: Any) -> Any:
    released = [place for place, operand in enumerate(operands) if operand.tape.released]
    if released:
        raise ReleasedOperandError(stage=operation, operand=str(released[-1]))
    return right(tape, operation, operands, compute, backward)


right = modules.autodiff_tape.Tape.record


modules.autodiff_tape.Tape.record = record
