"""The state that is handed out is that before the last draw."""

from ordinary import Ordinary, export

BUG_KIND = "generator"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("splitmix64.3", "xavier_uniform.5", "qkv_initialization.2", "qkv_initialization.4")


class Twin(Ordinary):
    def state(self, seed: int, count: int) -> int:
        return super().state(seed, count - 1 if count else 0)


export(globals(), Twin())
