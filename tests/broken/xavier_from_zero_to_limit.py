"""Weights lie between 0 and the limit."""

from ordinary import Array, Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.3", "xavier_uniform.4", "qkv_initialization.3")


class Twin(Ordinary):
    def spread(self, units: Array, limit: float) -> Array:
        return limit * units


export(globals(), Twin())
