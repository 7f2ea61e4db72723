"""The three weights of a query-key-value layer: their names, widths and checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from attnspec.attention.linear_projection import check_weight
from attnspec.attention.parameter_names import check_name, check_unique
from attnspec.autodiff.tape import Value
from attnspec.errors import (
    BranchError,
    BranchInputWidthsError,
    BranchOutputWidthsError,
    DuplicateNameError,
    InitializationError,
    SpecificationError,
)

BRANCHES = ("query", "key", "value")


@dataclass(frozen=True)
class QkvParameters:
    """Three named weights, always in the order query, key, value."""

    names: tuple[str, ...]
    weights: tuple[Value, Value, Value]

    @property
    def model_width(self) -> int:
        return self.weights[0].shape[0]

    @property
    def head_width(self) -> int:
        return self.weights[0].shape[1]

    @property
    def count(self) -> int:
        """The number of trainable scalars, 3 * d_model * d_head."""
        return len(self.weights) * self.model_width * self.head_width


def qkv_parameters(names: Sequence[str], query_weight: Value, key_weight: Value, value_weight: Value) -> QkvParameters:
    """Build a layer from named weights; equal matrices under different names are accepted.

    Args:
        names: three parameter names.
        query_weight, key_weight, value_weight: [d_model, d_head] each.

    Returns:
        the layer's parameters.

    Raises:
        BranchError: one branch alone is at fault (name, rank, fan-in, fan-out); the first one is named.
        BranchInputWidthsError, BranchOutputWidthsError: the branches disagree.
        InitializationError: two names are equal.

    Source:
        qkv_parameters.1 to qkv_parameters.12
    """
    weights = (query_weight, key_weight, value_weight)
    for branch, name, weight in zip(BRANCHES, names, weights, strict=True):
        with branch_faults(branch):
            check_name(name)
            check_weight(weight)
    check_branches_agree(weights)
    check_joint_names(names)
    return QkvParameters(tuple(names), weights)


def check_branches_agree(weights: tuple[Value, Value, Value]) -> None:
    """Raise where the three weights have not the same input width, or not the same output width.

    Source:
        qkv_parameters.9, qkv_parameters.10, qkv_projection.14, qkv_projection.15
    """
    for axis, error in ((0, BranchInputWidthsError), (1, BranchOutputWidthsError)):
        widths = [weight.shape[axis] for weight in weights]
        if len(set(widths)) > 1:
            raise error(*widths)


def check_joint_names(names: Sequence[str]) -> None:
    """Raise InitializationError where two parameters have one name.

    Source:
        qkv_parameters.11
    """
    try:
        check_unique(names)
    except DuplicateNameError as cause:
        raise InitializationError(cause) from cause


@contextmanager
def branch_faults(branch: str) -> Iterator[None]:
    """Turn any refusal inside into a BranchError that names the branch and keeps the cause.

    Source:
        qkv_parameters.6, qkv_projection.12
    """
    try:
        yield
    except SpecificationError as cause:
        raise BranchError(branch, cause) from cause
