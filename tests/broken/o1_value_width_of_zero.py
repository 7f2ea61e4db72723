"""A value of width 0 is accepted, and an output without columns is returned."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("attention.13", "causal_attention.17")


class Twin(Ordinary):
    def check_value_width(self, given: Given) -> None:
        pass


export(globals(), Twin())
