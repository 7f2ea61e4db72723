"""The difference is taken before the division, and overflows for opposite huge gradients."""

from ordinary import Array, Ordinary, export

BUG_KIND = "gradient check"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("gradient_check.1",)


class Twin(Ordinary):
    def difference(self, analytic: Array, numeric: Array, size: Array) -> Array:
        return (analytic - numeric) / size


export(globals(), Twin())
