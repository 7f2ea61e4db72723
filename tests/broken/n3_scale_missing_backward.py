"""The way back leaves the scale out, for query and key alike (ooples/AiDotNet.Tensors#49)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.17", "attention.23", "causal_attention.27")


class Twin(Ordinary):
    def towards_raw(self, d_scaled: Array, scale: float) -> Array:
        return d_scaled


export(globals(), Twin())
