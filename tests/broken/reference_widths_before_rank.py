"""Empty axes of a weight are looked for before its rank."""

from typing import Any

from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.13", "qkv_parameters.7")


TARGET = reference_copy()
modules = TARGET.modules


def check_weight(weight: Any) -> None:
    if weight.shape:
        modules.attention_linear_projection.check_widths(weight.shape[0], weight.shape[-1])
    right(weight)


right = modules.attention_linear_projection.check_weight


modules.attention_qkv_parameters.check_weight = check_weight
modules.attention_qkv_projection.check_weight = check_weight
