"""The scale is that of the value width, not of the key width (lucidrains/vit-pytorch#65)."""

from ordinary import Array, Ordinary, export

BUG_KIND = "J1"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("attention.1", "causal_attention.1")


class Twin(Ordinary):
    def head_scale(self, query: Array, key: Array, value: Array) -> float:
        return float(value.shape[-1] ** -0.5)


export(globals(), Twin())
