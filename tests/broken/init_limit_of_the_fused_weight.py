"""The limit is that of one fused weight with three times the columns."""

from ordinary import Array, Ordinary, export

BUG_KIND = "init"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_initialization.3",)


class Twin(Ordinary):
    def weights(self, seed: int, model_width: int, head_width: int) -> list[Array]:
        ratio = self.limit(model_width, 3 * head_width) / self.limit(model_width, head_width)
        return [weight * ratio for weight in super().weights(seed, model_width, head_width)]


export(globals(), Twin())
