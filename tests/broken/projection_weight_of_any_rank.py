"""A weight of any rank is accepted: its first and last axes serve."""

from typing import Any

from ordinary import Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("linear_projection.8", "qkv_projection.12", "qkv_parameters.6")


class Twin(Ordinary):
    def refuse_weight(self, weight: Any) -> None:
        self.refuse_widths(weight.shape[0], weight.shape[-1])


export(globals(), Twin())
