"""The mask comes with axes for batch and head, [1, 1, T, T]."""

from ordinary import Array, Ordinary, export

BUG_KIND = "shape"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_mask.1", "causal_mask.5")


class Twin(Ordinary):
    def additive(self, visible: Array) -> Array:
        return super().additive(visible)[None, None]


export(globals(), Twin())
