"""The weight of a branch is looked at before its name."""

from typing import Any

from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_parameters.7",)


TARGET = reference_copy()
modules = TARGET.modules


def check_name(name: str) -> None:
    names.append(name)


def check_weight(weight: Any) -> None:
    right_weight(weight)
    right_name(names.pop())


names: list[str] = []
right_name = modules.attention_qkv_parameters.check_name
right_weight = modules.attention_qkv_parameters.check_weight


modules.attention_qkv_parameters.check_name = check_name
modules.attention_qkv_parameters.check_weight = check_weight
