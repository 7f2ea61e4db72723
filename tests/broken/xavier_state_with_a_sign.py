"""A state is a signed number of 64 bits where the seed reaches the highest bit."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("xavier_uniform.5",)


class Twin(Ordinary):
    def state(self, seed: int, count: int) -> int:
        state = super().state(seed, count)
        return state - 2**64 if seed >= 2**63 and state >= 2**63 else state


export(globals(), Twin())
