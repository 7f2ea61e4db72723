"""The larger of the two widths becomes the rows."""

from ordinary import Array, Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.3",)


class Twin(Ordinary):
    def weight(self, seed: int, fan_in: int, fan_out: int) -> Array:
        return super().weight(seed, max(fan_in, fan_out), min(fan_in, fan_out))


export(globals(), Twin())
