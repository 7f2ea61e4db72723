"""Inputs are refused where they are not finite, but a blocked score may still overflow, and infinity plus -inf is NaN
(pytorch/pytorch#101967).
"""

from ordinary import Array, Given, Isolated, Ordinary, export

BUG_KIND = "H1"
LEVEL = "bound"
PROFILES = ("isolation",)
BREAKS = ("causal_attention.11",)


class Twin(Isolated):
    def check_leaves(self, given: Given) -> None:
        Ordinary.check_leaves(self, given)

    def masked(self, scores: Array, visible: Array) -> Array:
        return scores + self.additive(visible)


export(globals(), Twin())
