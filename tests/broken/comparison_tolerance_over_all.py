"""The sum of the differences is compared with the tolerance."""

from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(difference.sum() <= tolerance)


export(globals(), Twin())
