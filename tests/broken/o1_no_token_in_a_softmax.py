"""Scores without a token are accepted, and nothing is returned."""

from ordinary import Given, Ordinary, export

BUG_KIND = "O1"
LEVEL = "bound"
PROFILES = ("strict",)
BREAKS = ("causal_softmax.14",)


class Twin(Ordinary):
    def check_some_token(self, given: Given) -> None:
        pass


export(globals(), Twin())
