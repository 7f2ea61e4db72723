"""What reaches the probabilities is read from the first column of the value only."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.21", "causal_attention.25")


class Twin(Ordinary):
    def towards_probabilities(self, output: Array, value: Array) -> Array:
        return super().towards_probabilities(output[..., :1], value[..., :1])


export(globals(), Twin())
