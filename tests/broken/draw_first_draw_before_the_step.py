"""The state is mixed before it is advanced."""

from ordinary import Array, Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1", "splitmix64.2")


class Twin(Ordinary):
    def draws(self, seed: int, count: int) -> Array:
        return super().draws((seed - self.GAMMA) % 2**64, count)


export(globals(), Twin())
