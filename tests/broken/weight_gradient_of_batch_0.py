"""The gradient of a weight is summed over the tokens of the first batch element only."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N4"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.7", "qkv_projection.10")


class Twin(Ordinary):
    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        one = slice(0, 1) if input.ndim > 2 else slice(None)
        return super().weight_gradient(input[one], upstream[one])


export(globals(), Twin())
