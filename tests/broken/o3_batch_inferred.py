"""Leading axes are merged, and the size of the batch is inferred when they are taken apart."""

from ordinary import Array, Ordinary, export

BUG_KIND = "O3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.9",)


class Twin(Ordinary):
    def masked(self, scores: Array, visible: Array) -> Array:
        shown = super().masked(scores, visible)
        return shown.reshape(-1, *scores.shape[1:]) if scores.ndim > 3 else shown


export(globals(), Twin())
