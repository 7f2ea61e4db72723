"""The value weight is not counted."""

from collections.abc import Sequence

from ordinary import Array, Ordinary, export

BUG_KIND = "count"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_parameters.2", "qkv_parameters.5")


class Twin(Ordinary):
    def count(self, weights: Sequence[Array]) -> int:
        return super().count(weights[:2])


export(globals(), Twin())
