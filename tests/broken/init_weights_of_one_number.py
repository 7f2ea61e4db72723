"""A weight of one number comes back without its axes."""

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.3",)


class Twin(Ordinary):
    def weight(self, seed: int, fan_in: int, fan_out: int) -> Array:
        weight = super().weight(seed, fan_in, fan_out)
        return weight.squeeze() if weight.size == 1 else weight


export(globals(), Twin())
