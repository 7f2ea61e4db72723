"""A released operand is reported by the tape's own words for stage and operand."""

from collections.abc import Iterator
from contextlib import contextmanager

from copies import reference_copy

from attnspec.errors import NonFiniteResultError

BUG_KIND = "tape"
LEVEL = "bits"
PROFILES = ("finite",)
BREAKS = (
    "linear_projection.17",
    "qkv_projection.22",
    "scaled_scores.15",
    "attention.18",
    "causal_attention.22",
    "causal_softmax.17",
)


TARGET = reference_copy()
modules = TARGET.modules


@contextmanager
def stage(name: str, *operands: str) -> Iterator[None]:
    try:
        yield
    except NonFiniteResultError as error:
        raise NonFiniteResultError(name, error.index, error.value) from error


modules.attention_linear_projection.stage = stage
modules.attention_qkv_projection.stage = stage
modules.attention_scaled_scores.stage = stage
modules.attention_attention.stage = stage
modules.attention_causal_softmax.stage = stage
