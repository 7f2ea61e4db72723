"""Where the tokens fill vectors of eight exactly, the last lane of a visible row is taken for its tail and left out."""

from ordinary import Array, Ordinary, export

BUG_KIND = "mask"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("causal_softmax.1", "causal_softmax.2")


class Twin(Ordinary):
    def visible(self, queries: int, keys: int) -> Array:
        visible = super().visible(queries, keys)
        if queries == keys and keys % 8 == 0:
            visible[-1:, -1:] = False
        return visible


export(globals(), Twin())
