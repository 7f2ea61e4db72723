"""A query of width 0 is not looked for: what fails is the scale, or another check."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = (
    "scaled_scores.10",
    "scaled_scores.12",
    "attention.13",
    "attention.15",
    "causal_attention.17",
    "causal_attention.19",
)


class Twin(Ordinary):
    def check_query_width(self, given: Given) -> None:
        pass


export(globals(), Twin())
