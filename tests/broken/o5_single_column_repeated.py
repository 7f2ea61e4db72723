"""A key of width one is repeated to the width of the query: widths are not compared."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O5"
LEVEL = "bound"
PROFILES = ("core",)
BREAKS = ("scaled_scores.11", "attention.14", "causal_attention.18")


class Twin(Ordinary):
    def check_widths(self, given: Given) -> None:
        pass


export(globals(), Twin())
