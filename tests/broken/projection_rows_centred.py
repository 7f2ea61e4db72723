"""The input is centred over its rows before the product, so rows are not projected alone."""

from ordinary import Array, Ordinary, export

BUG_KIND = "rows"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "linear_projection.3", "qkv_projection.1", "qkv_projection.2")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        if input.ndim > 1 and input.size:
            input = input - input.mean(axis=-2, keepdims=True)
        return super().projected(input, weight)


export(globals(), Twin())
