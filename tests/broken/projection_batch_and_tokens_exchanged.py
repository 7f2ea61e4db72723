"""Rows are merged in row-major order and taken apart with batch and tokens exchanged."""

from ordinary import Array, Ordinary, export

BUG_KIND = "rows"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.3", "qkv_projection.2")


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        merged = self.rows(input) @ weight
        if input.ndim < 3:
            return merged.reshape(*input.shape[:-1], weight.shape[1])
        turned = merged.reshape(input.shape[1], input.shape[0], *input.shape[2:-1], weight.shape[1])
        return turned.swapaxes(0, 1).reshape(*input.shape[:-1], weight.shape[1])


export(globals(), Twin())
