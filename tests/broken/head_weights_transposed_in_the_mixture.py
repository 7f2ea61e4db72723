"""Values are mixed by columns of the probabilities in place of rows."""

from ordinary import Array, Ordinary, export

BUG_KIND = "transpose"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.3", "causal_attention.4")


class Twin(Ordinary):
    def mixed(self, probabilities: Array, value: Array) -> Array:
        return super().mixed(probabilities.swapaxes(1, 2), value)


export(globals(), Twin())
