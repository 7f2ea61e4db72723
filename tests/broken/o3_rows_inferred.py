"""Rows are merged with an inferred size behind the batch axis, which is ambiguous where the batch is empty (sgl-
project/sglang#34474).
"""

from ordinary import Array, Ordinary, export

BUG_KIND = "O3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.7",)


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        grouped = input.reshape(input.shape[0], -1, input.shape[-1]) if input.ndim > 2 else input
        return super().projected(grouped, weight).reshape(*input.shape[:-1], weight.shape[1])


export(globals(), Twin())
