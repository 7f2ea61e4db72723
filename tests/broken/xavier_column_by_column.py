"""Weights are drawn column by column."""

from ordinary import Array, Ordinary, export

BUG_KIND = "xavier"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.1", "qkv_initialization.3")


class Twin(Ordinary):
    def weight(self, seed: int, fan_in: int, fan_out: int) -> Array:
        return super().weight(seed, fan_out, fan_in).T


export(globals(), Twin())
