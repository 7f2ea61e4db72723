"""A weight of one row comes back as a vector."""

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.1",)


class Twin(Ordinary):
    def weight(self, seed: int, fan_in: int, fan_out: int) -> Array:
        weight = super().weight(seed, fan_in, fan_out)
        return weight[0] if fan_in == 1 < fan_out else weight


export(globals(), Twin())
