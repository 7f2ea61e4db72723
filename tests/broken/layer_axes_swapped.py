"""Model width and head width are read from each other's axis."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L1"
LEVEL = "bound"
PROFILES = ("init",)
BREAKS = ("qkv_parameters.3", "qkv_parameters.4")


class Twin(Ordinary):
    def model_width(self, weight: Array) -> int:
        return int(weight.shape[1])

    def head_width(self, weight: Array) -> int:
        return int(weight.shape[0])


export(globals(), Twin())
