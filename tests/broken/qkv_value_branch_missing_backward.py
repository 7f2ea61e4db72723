"""The input gets no gradient from the value branch."""

from collections.abc import Sequence

from ordinary import Array, Ordinary, export

BUG_KIND = "N3"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("qkv_projection.9",)


class Twin(Ordinary):
    def joined(self, sent: Sequence[Array]) -> Array:
        return sent[0] + sent[1]


export(globals(), Twin())
