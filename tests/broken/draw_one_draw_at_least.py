"""At least one number is drawn."""

from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.4",)


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return super().draws(seed, max(count, 1))


export(globals(), Twin())
