"""A projection sums the first sixteen features: what a vector unit leaves over is forgotten."""

from ordinary import Array, Ordinary, export

BUG_KIND = "width"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "qkv_projection.1")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        return super().projected(input[..., :16], weight[:16])


export(globals(), Twin())
