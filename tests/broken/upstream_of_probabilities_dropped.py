"""An upstream for the probabilities is taken and dropped."""

from typing import Any

from ordinary import Array, Ordinary, export

BUG_KIND = "upstream"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.21", "causal_attention.25")


class Twin(Ordinary):
    def joined_probabilities(self, own: Any, later: Any) -> Array:
        return super().joined_probabilities(own if later is None else None, later)


export(globals(), Twin())
