"""The square is looked at before the sign, so a large negative count is reported as an overflow."""

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_mask.6", "causal_mask.9")


class Twin(Ordinary):
    ORDER = Ordinary.reordered(causal_mask=("overflow", "negative", "memory"))


export(globals(), Twin())
