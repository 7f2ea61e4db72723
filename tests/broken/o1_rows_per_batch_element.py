"""Rows are counted through the size of the first axis that is not empty, and both may be."""

from ordinary import Array, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.7",)


class Twin(Ordinary):
    def weight_gradient(self, input: Array, upstream: Array) -> Array:
        assert input.size % (input.shape[0] or input.shape[1]) == 0
        return super().weight_gradient(input, upstream)


export(globals(), Twin())
