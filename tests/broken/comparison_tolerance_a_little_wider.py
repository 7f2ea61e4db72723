"""The tolerance is widened by a little, against rounding."""

from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return super().within(difference, tolerance * (1.0 + 1e-12))


export(globals(), Twin())
