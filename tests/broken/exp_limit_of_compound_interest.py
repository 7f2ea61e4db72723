"""(1 + x / n) to the power n stands for the exponential."""

from ordinary import Array, Ordinary, export

BUG_KIND = "exp"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("exponential.1",)


class Twin(Ordinary):
    def exp(self, x: Array) -> Array:
        return (1.0 + x / 2.0**20) ** 2.0**20


export(globals(), Twin())
