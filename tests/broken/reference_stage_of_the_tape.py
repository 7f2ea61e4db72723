"""A result that overflows is reported with the tape's own word for the stage."""

from collections.abc import Iterator
from contextlib import contextmanager

from copies import reference_copy

from attnspec.errors import ReleasedOperandError

BUG_KIND = "tape"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = ("linear_projection.15", "qkv_projection.20", "scaled_scores.14", "attention.17", "causal_attention.21")


TARGET = reference_copy()
modules = TARGET.modules


@contextmanager
def stage(name: str, *operands: str) -> Iterator[None]:
    try:
        yield
    except ReleasedOperandError as error:
        raise ReleasedOperandError(name, operands[int(error.operand)]) from error


modules.attention_linear_projection.stage = stage
modules.attention_qkv_projection.stage = stage
modules.attention_scaled_scores.stage = stage
modules.attention_attention.stage = stage
modules.attention_causal_softmax.stage = stage
