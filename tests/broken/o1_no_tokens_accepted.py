"""Operands without a token are accepted, and an empty output is returned."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("scaled_scores.9", "attention.12", "causal_attention.16")


class Twin(Ordinary):
    def check_no_tokens(self, given: Given) -> None:
        pass


export(globals(), Twin())
