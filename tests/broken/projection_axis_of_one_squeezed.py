"""Leading axes of size 1 are squeezed away."""

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("linear_projection.3",)


class Twin(Ordinary):
    def projected(self, input: Array, weight: Array) -> Array:
        output = super().projected(input, weight)
        return output.reshape([size for size in output.shape[:-1] if size != 1] + [output.shape[-1]])


export(globals(), Twin())
