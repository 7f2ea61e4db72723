"""The divisor is d_k without its square root (delzac/cntkx#10)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "J4"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.2", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scale(self, query: Array, key: Array) -> float:
        return 1.0 / float(query.shape[-1])


export(globals(), Twin())
