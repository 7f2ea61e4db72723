"""The gradient of the key misses the scale, that of the query has it (ooples/AiDotNet.Tensors#49)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.19", "attention.24", "causal_attention.28")


class Twin(Ordinary):
    def towards_key(self, d_raw: Array, query: Array) -> Array:
        return super().towards_key(d_raw, query) * query.shape[-1] ** 0.5


export(globals(), Twin())
