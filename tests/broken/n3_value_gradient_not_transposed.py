"""The probabilities are not transposed for the gradient of the value."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.20", "causal_attention.24")


class Twin(Ordinary):
    def towards_value(self, weights: Array, output: Array) -> Array:
        return weights @ output


export(globals(), Twin())
