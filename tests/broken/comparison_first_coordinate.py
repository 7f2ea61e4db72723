"""The first difference speaks for all, and must exist."""

from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.2",)


class Twin(Ordinary):
    def within(self, difference: Array, tolerance: float) -> bool:
        return bool(difference.reshape(-1)[0] <= tolerance)


export(globals(), Twin())
