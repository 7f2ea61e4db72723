"""A bias is added, as most layers have one."""

from ordinary import Array, Ordinary, export

BUG_KIND = "bias"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "linear_projection.4", "qkv_projection.1", "qkv_projection.3")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        return super().projected(input, weight) + 0.125


export(globals(), Twin())
