"""The branches are looked at in the order value, key, query."""

from collections.abc import Sequence
from typing import Any

from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.13", "qkv_parameters.8")


TARGET = reference_copy()
modules = TARGET.modules


def qkv_parameters(names: Sequence[str], *weights: Any) -> Any:
    for branch, name, weight in reversed(list(zip(parameters.BRANCHES, names, weights, strict=True))):
        with parameters.branch_faults(branch):
            parameters.check_name(name)
            parameters.check_weight(weight)
    return right_parameters(names, *weights)


def qkv_projection(inputs: Any, *weights: Any) -> Any:
    for branch, weight in reversed(list(zip(parameters.BRANCHES, weights, strict=True))):
        with parameters.branch_faults(branch):
            parameters.check_weight(weight)
    return right_projection(inputs, *weights)


parameters = modules.attention_qkv_parameters
right_parameters = modules.targets_reference.qkv_parameters
right_projection = modules.targets_reference.qkv_projection


modules.targets_reference.qkv_parameters = qkv_parameters
modules.targets_reference.qkv_projection = qkv_projection
