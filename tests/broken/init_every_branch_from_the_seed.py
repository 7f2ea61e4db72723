"""Every branch starts from the seed, so the three weights are equal."""

from ordinary import Array, Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.2",)


class Twin(Ordinary):
    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        return [self.weight(seed, model_width, head_width)] * 3


export(globals(), Twin())
