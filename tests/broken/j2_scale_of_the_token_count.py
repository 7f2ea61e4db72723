"""The scale is that of the number of tokens (gaohongkui/GlobalPointer_pytorch#5)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "J2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.2", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scale(self, query: Array, key: Array) -> float:
        return float(key.shape[1] ** -0.5)


export(globals(), Twin())
