"""The last draw comes first."""

from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.3",)


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return super().draws(seed, count)[::-1]


export(globals(), Twin())
