"""A linear projection of the last axis, without bias."""

from __future__ import annotations

from attnspec.attention.stages import stage
from attnspec.attention.xavier_uniform import check_widths
from attnspec.autodiff.operations import project
from attnspec.autodiff.tape import Value
from attnspec.errors import InputWidthError, RankError, WeightRankError


def linear_projection(inputs: Value, weight: Value) -> Value:
    """Multiply every row of the input by the weight; rows never mix.

    Args:
        inputs: [..., fan_in]; any number of leading axes, empty ones included.
        weight: [fan_in, fan_out].

    Returns:
        [..., fan_out].

    Raises:
        WeightRankError, ZeroFanInError, ZeroFanOutError: the weight is no matrix, or has an empty axis.
        RankError: the input is a scalar.
        InputWidthError: the input's last axis is not fan_in.
        NonFiniteResultError: a product overflowed; the stage is `output`.
        ReleasedOperandError: an operand's tape was released.

    Source:
        linear_projection.1 to linear_projection.17
    """
    check_weight(weight)
    if inputs.tensor.rank < 1:
        raise RankError(tensor="input", rank=0, expected=1)
    check_input_width(inputs, weight)
    with stage("output", "input", "weight"):
        return project(inputs, weight)


def check_weight(weight: Value) -> None:
    """Raise where a weight has not rank 2, or has no rows, or no columns; in this order.

    Source:
        linear_projection.8 to linear_projection.10
    """
    if weight.tensor.rank != 2:
        raise WeightRankError(rank=weight.tensor.rank)
    check_widths(*weight.shape)


def check_input_width(inputs: Value, weight: Value) -> None:
    """Raise InputWidthError where the input's last axis is not the weight's fan-in.

    Source:
        linear_projection.12, qkv_projection.17
    """
    if inputs.shape[-1] != weight.shape[0]:
        raise InputWidthError(expected=weight.shape[0], actual=inputs.shape[-1])
