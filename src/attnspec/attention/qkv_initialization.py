"""Fresh weights for a query-key-value layer, drawn in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from attnspec.attention.parameter_names import check_name
from attnspec.attention.qkv_parameters import BRANCHES, branch_faults, check_joint_names
from attnspec.attention.xavier_uniform import xavier_uniform
from attnspec.numeric.splitmix64 import SplitMix64
from attnspec.numeric.tensor import Tensor


@dataclass(frozen=True)
class QkvInitialization:
    """The three drawn weights, [model_width, head_width] each, and their names."""

    query_weight: Tensor
    key_weight: Tensor
    value_weight: Tensor
    names: tuple[str, ...]


def qkv_initialization(prefix: str, model_width: int, head_width: int, generator: SplitMix64) -> QkvInitialization:
    """Draw query, key and value weights, in this order, from a copy of the generator.

    Args:
        prefix: the names are `prefix.query.weight`, `prefix.key.weight`, `prefix.value.weight`.
        model_width: fan-in of each weight.
        head_width: fan-out of each weight.
        generator: advanced only after all three branches passed; a refusal leaves its state alone.

    Returns:
        three weights by `xavier_uniform`, and their names.

    Raises:
        BranchError: a name or a width is refused; the first branch is named.

    Source:
        qkv_initialization.1 to qkv_initialization.6
    """
    names = tuple(f"{prefix}.{branch}.weight" for branch in BRANCHES)
    draft = generator.copy()
    weights = []
    for branch, name in zip(BRANCHES, names, strict=True):
        with branch_faults(branch):
            check_name(name)
            weights.append(xavier_uniform(draft, model_width, head_width))
    check_joint_names(names)
    generator.state = draft.state
    query_weight, key_weight, value_weight = weights
    return QkvInitialization(query_weight, key_weight, value_weight, names)
