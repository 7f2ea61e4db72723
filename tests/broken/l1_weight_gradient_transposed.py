"""The gradient of a square weight is transposed."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.7", "qkv_projection.10")


class Twin(Ordinary):
    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        gradient = super().weight_gradient(input, upstream)
        return gradient.T if gradient.shape[0] == gradient.shape[1] else gradient


export(globals(), Twin())
