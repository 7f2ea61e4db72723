"""Unequal widths are reported with the code of the product inside."""

from ordinary import Given, Ordinary, Refusal, export

BUG_KIND = "code"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.11", "attention.14", "causal_attention.18")


class Twin(Ordinary):
    def check_widths(self, given: Given) -> None:
        try:
            super().check_widths(given)
        except Refusal as fault:
            raise Refusal("inner_width") from fault


export(globals(), Twin())
