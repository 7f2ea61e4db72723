"""The state is kept in a signed integer and loses its highest bit."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.1",)


class Twin(Ordinary):
    def state(self, seed: int, count: int) -> int:
        return super().state(seed, count) % 2**63


export(globals(), Twin())
