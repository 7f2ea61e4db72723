"""An upstream of an intermediate output is added twice."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.17", "attention.21", "attention.23", "causal_attention.25", "causal_attention.27")


class Twin(Ordinary):
    def joined_upstream(self, own: Any, later: Any) -> Array:
        joined = super().joined_upstream(own, later)
        return joined if own is None or later is None else joined + own


export(globals(), Twin())
