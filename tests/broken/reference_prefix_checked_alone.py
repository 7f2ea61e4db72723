"""The prefix is looked at by itself, so places in the name are those in the prefix."""

from copies import reference_copy

BUG_KIND = "names"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_initialization.5", "qkv_initialization.6")


TARGET = reference_copy()
modules = TARGET.modules


def check_name(name: str) -> None:
    right(name.removesuffix(".query.weight").removesuffix(".key.weight").removesuffix(".value.weight"))


right = modules.attention_qkv_initialization.check_name


modules.attention_qkv_initialization.check_name = check_name
