"""A square weight is read as [fan_out, fan_in] (rasbt/LLMs-from-scratch#857)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.1", "qkv_projection.1")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        return super().projected(input, weight.T if weight.shape[0] == weight.shape[1] else weight)


export(globals(), Twin())
