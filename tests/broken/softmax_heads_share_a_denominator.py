"""With two leading axes the row sums run over the heads as well."""

from ordinary import Array, Ordinary, export

BUG_KIND = "K1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.8",)


class Twin(Ordinary):
    def normalised(self, exponentials: Array) -> Array:
        axes = (-3, -1) if exponentials.ndim > 3 else -1
        return exponentials / exponentials.sum(axis=axes, keepdims=True)


export(globals(), Twin())
