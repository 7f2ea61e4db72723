"""A blocked score is set to 0 in place of minus infinity (hyunwoongko/transformer#10)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "F2"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.2", "causal_softmax.3", "causal_attention.3", "causal_attention.5")


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        return scores * visible


export(globals(), Twin())
