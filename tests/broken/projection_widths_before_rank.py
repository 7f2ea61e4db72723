"""Empty axes of a weight are looked for before its rank."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "order"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("linear_projection.13",)


class Twin(Ordinary):
    def refuse_weight(self, weight: Any) -> None:
        self.refuse_widths(weight.shape[0], weight.shape[-1])
        self.refuse_weight_rank(weight)


export(globals(), Twin())
