"""The mixture is divided by the number of keys."""

from ordinary import Array, Ordinary, export

BUG_KIND = "mixture"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.3", "causal_attention.4")


class Twin(Ordinary):
    def mixed(self, probabilities: Array, value: Array) -> Array:
        return super().mixed(probabilities, value) / value.shape[1]


export(globals(), Twin())
