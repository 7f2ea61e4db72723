"""The key weight is drawn before the query weight."""

from ordinary import Array, Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.2",)


class Twin(Ordinary):
    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        key, query, value = super().weights(seed, model_width, head_width)
        return [query, key, value]


export(globals(), Twin())
