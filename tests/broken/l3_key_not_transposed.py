"""Where there are as many tokens as columns, the key is not transposed (pytorch/pytorch#195320)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "L3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.1", "scaled_scores.3", "attention.1", "causal_attention.1")


class Twin(Ordinary):
    def scaled(self, query: Array, key: Array, scale: float) -> Array:
        if key.shape[1] == key.shape[2]:
            key = key.swapaxes(1, 2)
        return super().scaled(query, key, scale)


export(globals(), Twin())
