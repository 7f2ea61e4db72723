"""The state is advanced once more than there were draws."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.3", "splitmix64.4", "xavier_uniform.5")


class Twin(Ordinary):
    def state(self, seed: int, count: int) -> int:
        return super().state(seed, count + 1)


export(globals(), Twin())
