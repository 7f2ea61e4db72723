"""The gradient of the input takes a square weight in the other layout (TransformerLensOrg/TransformerLens#1554)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.6", "qkv_projection.9")


class Twin(Ordinary):
    def input_gradient(self, upstream: Array, weight: Array) -> Array:
        return super().input_gradient(upstream, weight.T if weight.shape[0] == weight.shape[1] else weight)


export(globals(), Twin())
