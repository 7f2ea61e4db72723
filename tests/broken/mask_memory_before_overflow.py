"""Whether the cells can be held is asked before whether they can be counted."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_mask.7", "causal_mask.9")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(causal_mask=("negative", "memory", "overflow"))


export(globals(), Twin())
