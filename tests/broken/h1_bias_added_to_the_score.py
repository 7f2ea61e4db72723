"""The mask is added to a poisoned score, and NaN plus -inf is NaN (pytorch/pytorch#101967)."""

from ordinary import Array, Isolated, export

BUG_KIND = "H1"
LEVEL = "bound"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11",)


class Twin(Isolated):
    def masked(self, scores: Array, visible: Array) -> Array:
        return scores + self.additive(visible)


export(globals(), Twin())
