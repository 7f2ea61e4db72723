"""The columns of a weight are looked at before its rows."""

from copies import reference_copy

from attnspec.errors import ZeroFanOutError

BUG_KIND = "order"
LEVEL = "bits"
PROFILES = ("strict",)
BREAKS = ("qkv_projection.13", "qkv_parameters.7", "qkv_initialization.6")


TARGET = reference_copy()
modules = TARGET.modules


def check_widths(fan_in: int, fan_out: int) -> None:
    if fan_out < 1:
        raise ZeroFanOutError
    right(fan_in, fan_out)


right = modules.attention_xavier_uniform.check_widths


modules.attention_xavier_uniform.check_widths = check_widths
modules.attention_linear_projection.check_widths = check_widths
