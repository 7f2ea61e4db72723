"""The widths of a drawn weight are looked at before its name."""

from typing import Any

from copies import reference_copy

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_initialization.6",)


TARGET = reference_copy()
modules = TARGET.modules


def xavier_uniform(generator: Any, fan_in: int, fan_out: int) -> Any:
    drawn = right_draw(generator, fan_in, fan_out)
    right_name(names.pop())
    return drawn


names: list[str] = []
right_draw = modules.attention_qkv_initialization.xavier_uniform
right_name = modules.attention_qkv_initialization.check_name


modules.attention_qkv_initialization.xavier_uniform = xavier_uniform
modules.attention_qkv_initialization.check_name = names.append
