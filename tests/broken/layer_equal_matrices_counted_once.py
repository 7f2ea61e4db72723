"""Equal matrices are counted once."""

from collections.abc import Sequence

from ordinary import Array, Ordinary, export

BUG_KIND = "count"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_parameters.5",)


class Twin(Ordinary):
    def count(self, weights: Sequence[Array]) -> int:
        return super().count(list({weight.tobytes(): weight for weight in weights}.values()))


export(globals(), Twin())
